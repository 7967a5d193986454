import type { Migration } from './migration.js'

// No constraint compares two recorded times: a clock that was set back must not make a write fail.
export const signInTests: Migration = {
  number: 2,
  name: 'sign-in tests',
  statements: [
    // At most one per transaction, the latest. Its secret is stored only while it is pending.
    `create table sign_in_tests (
      transaction_id text primary key references transactions (id) on delete cascade,
      link_hash text not null unique check (link_hash ~ '^[0-9a-f]{64}$'),
      client_id text not null check (client_id <> ''),
      client_secret text check (client_secret <> ''),
      secret_key_id text,
      auth_method text not null check (auth_method in ('client_secret_basic', 'client_secret_post')),
      status text not null check (status in ('pending', 'passed', 'failed')),
      email text,
      detail text,
      started_at timestamptz not null,
      expires_at timestamptz not null,
      finished_at timestamptz,
      check ((status = 'pending') = (client_secret is not null)),
      check ((client_secret is null) = (secret_key_id is null)),
      check ((status = 'pending') = (finished_at is null)),
      check (status = 'passed' or email is null)
    )`,
    `create index sign_in_tests_pending on sign_in_tests (expires_at) where status = 'pending'`,
    'create index sign_in_tests_secret_key on sign_in_tests (secret_key_id) where secret_key_id is not null',

    // Browsers at an identity provider. A row is deleted by the first request that comes back with its state.
    `create table authorizations (
      state_hash text primary key check (state_hash ~ '^[0-9a-f]{64}$'),
      transaction_id text not null references sign_in_tests (transaction_id) on delete cascade,
      callback_id uuid not null,
      browser_hash text not null check (browser_hash ~ '^[0-9a-f]{64}$'),
      nonce text not null check (nonce <> ''),
      verifier text not null check (verifier <> ''),
      verifier_key_id text not null,
      begun_at timestamptz not null,
      expires_at timestamptz not null
    )`,
    'create index authorizations_transaction on authorizations (transaction_id, begun_at)',
    'create index authorizations_expiry on authorizations (expires_at)',

    // The end of a transaction or of its code deletes the test and its secret.
    `create function forget_sign_in_test() returns trigger language plpgsql as $$
      begin
        delete from sign_in_tests where transaction_id = new.id;
        return null;
      end
    $$`,
    `create trigger transactions_end_tests after update of state on transactions
      for each row when (new.state <> 'open') execute function forget_sign_in_test()`,
    `create function forget_sign_in_tests_of_code() returns trigger language plpgsql as $$
      begin
        delete from sign_in_tests t using transactions x where x.id = t.transaction_id and x.code_id = new.id;
        return null;
      end
    $$`,
    `create trigger codes_end_tests after update of revoked_at on codes
      for each row when (new.revoked_at is not null) execute function forget_sign_in_tests_of_code()`,
  ],
}
