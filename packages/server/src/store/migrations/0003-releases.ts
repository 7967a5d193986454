import type { Migration } from './migration.js'

// No constraint compares two recorded times: a clock that was set back must not make a write fail.
export const releases: Migration = {
  number: 3,
  name: 'releases',
  statements: [
    // Public keys that verify releases: those of the operator, or of an organization for its own packages.
    `create table release_keys (
      id text primary key check (id ~ '^[0-9a-f]{16}$'),
      organization_id uuid references organizations (id),
      pem text not null check (pem <> ''),
      added_at timestamptz not null,
      retired_at timestamptz
    )`,
    'create index release_keys_organization on release_keys (organization_id)',

    // The bytes of a file, in pieces. A blob without a file is an upload that has not finished, or never will.
    `create table release_blobs (
      id uuid primary key,
      started_at timestamptz not null
    )`,
    'create index release_blobs_started on release_blobs (started_at)',
    `create table release_chunks (
      blob_id uuid not null references release_blobs (id) on delete cascade,
      number integer not null check (number >= 0),
      bytes bytea not null check (octet_length(bytes) between 1 and 262144),
      primary key (blob_id, number)
    )`,
    // Published files are already compressed.
    'alter table release_chunks alter column bytes set storage external',

    // A version, published once, for everyone or for one organization. The number of a withdrawn version stays taken.
    `create table releases (
      id uuid primary key,
      number bigint generated always as identity unique,
      kind text not null check (kind in ('rules', 'tool')),
      organization_id uuid references organizations (id),
      version text not null check (char_length(version) between 5 and 96),
      precedence text collate "C" not null,
      notes text not null check (char_length(notes) <= 2000),
      published_at timestamptz not null,
      withdrawn_at timestamptz,
      check (kind = 'rules' or organization_id is null)
    )`,
    `create unique index releases_version on releases
      (kind, coalesce(organization_id, '00000000-0000-0000-0000-000000000000'), version)`,
    `create index releases_newest on releases (kind, organization_id, precedence) where withdrawn_at is null`,
    'create index releases_organization on releases (organization_id)',

    // The bytes are deleted when the release is withdrawn.
    `create table release_files (
      id uuid primary key,
      release_id uuid not null references releases (id) on delete cascade,
      blob_id uuid unique references release_blobs (id) on delete set null,
      name text not null check (char_length(name) between 1 and 200),
      platform text check (platform ~ '^[a-z0-9]+-[a-z0-9]+$'),
      size bigint not null check (size > 0),
      sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
      signature bytea not null check (octet_length(signature) between 8 and 80),
      key_id text not null references release_keys (id),
      unique (release_id, name)
    )`,
    `create unique index release_files_platform on release_files (release_id, coalesce(platform, ''))`,
    'create index release_files_name on release_files (name)',
    'create index release_files_key on release_files (key_id)',

    `create table access_tokens (
      id uuid primary key,
      organization_id uuid not null references organizations (id),
      name text not null check (char_length(name) between 1 and 100),
      hash text not null unique check (hash ~ '^[0-9a-f]{64}$'),
      scopes text not null check (scopes ~ '^[a-z:]+(,[a-z:]+)*$'),
      expires_on date,
      issued_at timestamptz not null,
      revoked_at timestamptz
    )`,
    'create unique index access_tokens_name on access_tokens (organization_id, name) where revoked_at is null',
    'create index access_tokens_issued on access_tokens (issued_at, id)',

    // Removing an organization ends its packages, keys and tokens.
    `create function forget_releases_of_organization() returns trigger language plpgsql as $$
      begin
        update access_tokens set revoked_at = new.removed_at where organization_id = new.id and revoked_at is null;
        update release_keys set retired_at = new.removed_at where organization_id = new.id and retired_at is null;
        delete from release_blobs b using release_files f, releases r
          where f.blob_id = b.id and r.id = f.release_id and r.organization_id = new.id;
        update releases set withdrawn_at = new.removed_at where organization_id = new.id and withdrawn_at is null;
        return null;
      end
    $$`,
    `create trigger organizations_end_releases after update of removed_at on organizations
      for each row when (new.removed_at is not null) execute function forget_releases_of_organization()`,
  ],
}
