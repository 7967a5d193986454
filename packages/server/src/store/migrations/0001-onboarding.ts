import type { Migration } from './migration.js'

// No constraint compares two recorded times: a clock that was set back must not make a write fail.
export const onboarding: Migration = {
  number: 1,
  name: 'onboarding',
  statements: [
    // A removed organization stays for the history of its codes; its name can be used again.
    `create table organizations (
      id uuid primary key,
      name text not null check (char_length(name) between 1 and 200),
      created_at timestamptz not null,
      removed_at timestamptz
    )`,
    'create unique index organizations_name on organizations (name) where removed_at is null',

    `create table codes (
      id uuid primary key,
      organization_id uuid not null references organizations (id),
      hash text not null unique check (hash ~ '^[0-9a-f]{64}$'),
      domain text check (domain ~ '^[a-z0-9.-]{1,253}$'),
      expires_on date not null,
      issued_at timestamptz not null,
      first_exchanged_at timestamptz,
      last_exchanged_at timestamptz,
      last_exchanged_from text check (char_length(last_exchanged_from) <= 100),
      completed_at timestamptz,
      revoked_at timestamptz,
      check ((first_exchanged_at is null) = (last_exchanged_at is null)),
      check (completed_at is null or first_exchanged_at is not null)
    )`,
    'create index codes_organization on codes (organization_id)',
    'create index codes_issued on codes (issued_at, id)',

    `create table transactions (
      id text primary key check (id ~ '^[1-9A-HJ-NP-Za-km-z]{22}$'),
      code_id uuid not null references codes (id),
      callback_id uuid not null unique,
      domain text not null check (domain ~ '^[a-z0-9.-]{1,253}$'),
      request jsonb not null,
      request_digest text not null check (request_digest ~ '^[0-9a-f]{64}$'),
      provider jsonb not null,
      state text not null check (state in ('open', 'completed', 'superseded')),
      created_at timestamptz not null,
      expires_at timestamptz not null check (expires_at > created_at),
      completed_at timestamptz,
      check ((state = 'completed') = (completed_at is not null))
    )`,
    `create unique index transactions_open on transactions (code_id) where state = 'open'`,
    'create index transactions_code on transactions (code_id)',

    `create table connections (
      organization_id uuid primary key references organizations (id),
      callback_id uuid not null unique,
      display_name text not null check (char_length(display_name) between 1 and 200),
      issuer text not null,
      provider jsonb not null,
      client_id text not null check (client_id <> ''),
      client_secret text not null check (client_secret <> ''),
      secret_key_id text not null,
      auth_method text not null check (auth_method in ('client_secret_basic', 'client_secret_post')),
      connected_at timestamptz not null
    )`,
    'create index connections_issuer on connections (issuer)',
    'create index connections_secret_key on connections (secret_key_id)',

    `create table domains (
      domain text primary key check (domain ~ '^[a-z0-9.-]{1,253}$'),
      organization_id uuid not null references organizations (id),
      connected_at timestamptz not null
    )`,
    'create index domains_organization on domains (organization_id)',

    // The ids of the keys, which reveal nothing about the keys. One current key for each purpose.
    `create table keys (
      purpose text not null check (purpose in ('signing', 'encryption')),
      id text not null,
      current boolean not null,
      recorded_at timestamptz not null,
      primary key (purpose, id)
    )`,
    'create unique index keys_current on keys (purpose) where current',

    `create table audit (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      actor text not null,
      action text not null,
      organization text,
      detail jsonb not null check (jsonb_typeof(detail) = 'object')
    )`,
    'create index audit_organization on audit (organization, id)',
    'create index audit_action on audit (action, id)',
    'create index audit_at on audit (at)',
    `create function audit_is_append_only() returns trigger language plpgsql as $$
      begin
        raise exception 'audit records are never changed or deleted' using errcode = 'insufficient_privilege';
      end
    $$`,
    `create trigger audit_rows_stay before update or delete on audit
      for each row execute function audit_is_append_only()`,
    `create trigger audit_stays before truncate on audit
      for each statement execute function audit_is_append_only()`,
  ],
}
