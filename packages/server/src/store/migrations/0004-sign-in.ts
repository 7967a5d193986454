import type { Migration } from './migration.js'

// No constraint compares two recorded times: a clock that was set back must not make a write fail.
export const signIn: Migration = {
  number: 4,
  name: 'sign-in',
  statements: [
    // Issuer and subject identify a user. A released user has neither until the next sign-in with the address. The client is that
    // of the last sign-in: some issuers have a different subject for each client.
    `create table users (
      id uuid primary key,
      organization_id uuid not null references organizations (id),
      issuer text,
      subject text,
      client_id text,
      email text not null check (char_length(email) between 3 and 320),
      name text check (char_length(name) <= 200),
      role text not null check (role in ('administrator', 'member')),
      created_at timestamptz not null,
      signed_in_at timestamptz not null,
      check ((issuer is null) = (subject is null) and (issuer is null) = (client_id is null))
    )`,
    'create unique index users_subject on users (organization_id, issuer, subject)',
    'create unique index users_email on users (organization_id, lower(email))',

    // Browsers at an identity provider. A row is deleted by the first request that comes back with its state. A row without an
    // organization is the decoy of an unknown domain, which takes the same time.
    `create table logins (
      state_hash text primary key check (state_hash ~ '^[0-9a-f]{64}$'),
      organization_id uuid references organizations (id),
      callback_id uuid not null,
      browser_hash text not null check (browser_hash ~ '^[0-9a-f]{64}$'),
      nonce text not null check (nonce <> ''),
      verifier text not null check (verifier <> ''),
      target text not null check (target <> ''),
      begun_at timestamptz not null,
      expires_at timestamptz not null
    )`,
    'create index logins_expiry on logins (expires_at)',

    `create table sessions (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      provider_session text check (char_length(provider_session) <= 255),
      provider_tokens text not null check (provider_tokens <> ''),
      tokens_key_id text not null,
      renewable boolean not null,
      address text not null check (char_length(address) <= 100),
      agent text not null check (char_length(agent) <= 200),
      created_at timestamptz not null,
      seen_at timestamptz not null,
      check_after timestamptz not null,
      checking_until timestamptz,
      expires_at timestamptz not null
    )`,
    'create index sessions_user on sessions (user_id, created_at)',
    'create index sessions_tokens_key on sessions (tokens_key_id)',
    'create index sessions_expiry on sessions (expires_at)',
    'create index sessions_seen on sessions (seen_at)',

    // A session has a cookie for each host.
    `create table session_cookies (
      hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
      session_id uuid not null references sessions (id) on delete cascade
    )`,
    'create index session_cookies_session on session_cookies (session_id)',

    // Tickets from the sign-in host to the app's host: valid once, in one browser.
    `create table hand_overs (
      ticket_hash text primary key check (ticket_hash ~ '^[0-9a-f]{64}$'),
      session_id uuid not null references sessions (id) on delete cascade,
      binding_hash text not null check (binding_hash ~ '^[0-9a-f]{64}$'),
      expires_at timestamptz not null
    )`,
    'create index hand_overs_session on hand_overs (session_id)',
    'create index hand_overs_expiry on hand_overs (expires_at)',

    // Used logout tokens: each is accepted once.
    `create table logout_tokens (
      organization_id uuid not null references organizations (id),
      hash text not null check (hash ~ '^[0-9a-f]{64}$'),
      expires_at timestamptz not null,
      primary key (organization_id, hash)
    )`,
    'create index logout_tokens_expiry on logout_tokens (expires_at)',

    // A tool that waits for approval. The row is deleted by the request that gets the tokens.
    `create table device_requests (
      device_hash text primary key check (device_hash ~ '^[0-9a-f]{64}$'),
      code_hash text not null unique check (code_hash ~ '^[0-9a-f]{64}$'),
      status text not null check (status in ('pending', 'approved', 'denied')),
      user_id uuid references users (id) on delete cascade,
      address text not null check (char_length(address) <= 100),
      agent text not null check (char_length(agent) <= 200),
      pause_seconds integer not null check (pause_seconds between 1 and 3600),
      asked_at timestamptz,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      check ((status = 'approved') = (user_id is not null))
    )`,
    'create index device_requests_user on device_requests (user_id) where user_id is not null',
    'create index device_requests_expiry on device_requests (expires_at)',

    // An approved tool with its latest pair of tokens.
    `create table tool_logins (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      access_hash text not null unique check (access_hash ~ '^[0-9a-f]{64}$'),
      access_expires_at timestamptz not null,
      refresh_hash text not null unique check (refresh_hash ~ '^[0-9a-f]{64}$'),
      spent_hash text check (spent_hash ~ '^[0-9a-f]{64}$'),
      renewed_at timestamptz not null,
      address text not null check (char_length(address) <= 100),
      agent text not null check (char_length(agent) <= 200),
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`,
    'create index tool_logins_user on tool_logins (user_id, created_at)',
    'create index tool_logins_spent on tool_logins (spent_hash) where spent_hash is not null',
    'create index tool_logins_expiry on tool_logins (expires_at)',

    // Removing an organization deletes its users, and with them their sessions and tools.
    `create function forget_people() returns trigger language plpgsql as $$
      begin
        delete from users where organization_id = new.id;
        delete from logins where organization_id = new.id;
        delete from logout_tokens where organization_id = new.id;
        return null;
      end
    $$`,
    `create trigger organizations_forget_people after update of removed_at on organizations
      for each row when (new.removed_at is not null) execute function forget_people()`,

    // A sign-in at one issuer is not a sign-in at another.
    `create function end_sessions_of_old_issuer() returns trigger language plpgsql as $$
      begin
        delete from sessions s using users u where u.id = s.user_id and u.organization_id = new.organization_id;
        delete from tool_logins t using users u where u.id = t.user_id and u.organization_id = new.organization_id;
        delete from device_requests d using users u where u.id = d.user_id and u.organization_id = new.organization_id;
        return null;
      end
    $$`,
    `create trigger connections_end_sessions after update of issuer on connections
      for each row when (new.issuer <> old.issuer) execute function end_sessions_of_old_issuer()`,
  ],
}
