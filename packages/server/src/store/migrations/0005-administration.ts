import type { Migration } from './migration.js'

// No constraint compares two recorded times: a clock that was set back must not make a write fail.
export const administration: Migration = {
  number: 5,
  name: 'administration',
  statements: [
    // `proof` is the value of the DNS record that verifies a domain. The operator vouches for the domain of the onboarding.
    `alter table domains
      add column is_primary boolean not null default false,
      add column added_at timestamptz,
      add column proof text not null default replace(gen_random_uuid()::text, '-', '') check (proof ~ '^[0-9a-f]{32}$')`,
    'update domains set added_at = connected_at',
    `update domains d set is_primary = true where d.domain = (
      select o.domain from domains o where o.organization_id = d.organization_id order by o.connected_at desc, o.domain limit 1)`,
    'alter table domains alter column added_at set not null',
    'create unique index domains_primary on domains (organization_id) where is_primary',

    // Domains that are to be verified. Several organizations may claim a domain; one can verify it.
    `create table domain_claims (
      organization_id uuid not null references organizations (id),
      domain text not null check (domain ~ '^[a-z0-9.-]{1,253}$'),
      proof text not null default replace(gen_random_uuid()::text, '-', '') check (proof ~ '^[0-9a-f]{32}$'),
      added_at timestamptz not null,
      primary key (organization_id, domain)
    )`,
    `create function forget_domain_claims() returns trigger language plpgsql as $$
      begin
        delete from domain_claims where organization_id = new.id;
        return null;
      end
    $$`,
    `create trigger organizations_forget_domain_claims after update of removed_at on organizations
      for each row when (new.removed_at is not null) execute function forget_domain_claims()`,

    // The connection that is to replace the current one, at most one. Nobody signs in through it before the switch.
    `create table connection_replacements (
      organization_id uuid primary key references connections (organization_id) on delete cascade,
      id uuid not null unique,
      issuer text not null,
      provider jsonb not null,
      client_id text not null check (client_id <> ''),
      client_secret text not null check (client_secret <> ''),
      secret_key_id text not null,
      auth_method text not null check (auth_method in ('client_secret_basic', 'client_secret_post')),
      status text not null check (status in ('untested', 'testing', 'passed', 'failed')),
      link_hash text unique check (link_hash ~ '^[0-9a-f]{64}$'),
      test_expires_at timestamptz,
      tested_as text,
      detail text,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      check ((status = 'testing') = (link_hash is not null)),
      check ((link_hash is null) = (test_expires_at is null)),
      check ((status = 'passed') = (tested_as is not null))
    )`,
    'create index connection_replacements_expiry on connection_replacements (expires_at)',
    'create index connection_replacements_secret_key on connection_replacements (secret_key_id)',
    // An onboarding with a new code makes another callback address: the replacement of the old connection is useless.
    `create function forget_replacement() returns trigger language plpgsql as $$
      begin
        delete from connection_replacements where organization_id = new.organization_id;
        return null;
      end
    $$`,
    `create trigger connections_forget_replacement after update of callback_id on connections
      for each row when (new.callback_id <> old.callback_id) execute function forget_replacement()`,

    // Both connections of an organization share the callback address, so a login stores its issuer and client.
    `alter table logins
      add column issuer text,
      add column client_id text,
      add column replacement_id uuid references connection_replacements (id) on delete cascade`,
    'create index logins_replacement on logins (replacement_id) where replacement_id is not null',

    // Tokens of administrators end at a time, not with a day.
    `alter table access_tokens
      add column expires_at timestamptz,
      add column created_by text check (char_length(created_by) <= 320),
      add column last_used_at timestamptz`,
    `update access_tokens set expires_at = expires_on::timestamp at time zone 'UTC'`,
    'alter table access_tokens drop column expires_on',
    'create index access_tokens_organization on access_tokens (organization_id, issued_at)',

    // Administrators filter the records of their organization by action.
    'create index audit_organization_action on audit (organization, action, id)',
  ],
}
