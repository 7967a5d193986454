import type { FieldError, ProblemCode } from '../../problem.js'

interface Guide {
  /** When it happens and what helps: a section of the documentation. */
  readonly about: string
  /** A detail as it may stand in a response. */
  readonly example: string
  readonly errors?: readonly FieldError[]
}

/** What the documentation says about each code. */
export const PROBLEM_GUIDE: Readonly<Record<ProblemCode, Guide>> = {
  missing_code: {
    about:
      'The request has no code. Put it behind the address, as `?code=K7QF2M-9XTR4B`, and quote the address in a shell.',
    example: 'Add the code that the operator gave you: /v1/auth/validate?code=<code>.',
  },
  invalid_json: {
    about:
      'The body cannot be read as JSON: it is empty, compressed, not UTF-8, or has a slip such as a missing quote.',
    example: 'The body is empty. Send a JSON object.',
  },
  bad_request: {
    about:
      'The request itself is broken: an address with a wrong escape, a header that is too long, a request that took too long.',
    example: 'The address has a % that is not followed by two hexadecimal digits.',
  },
  body_too_large: {
    about: 'The body has more than 64 KiB, or a package more than 16 MiB. No request of this service needs that much.',
    example: 'The body has more than 65536 bytes. Send only the fields that are asked for.',
  },
  invalid_code: {
    about: 'Nobody issued this code, or it was revoked. Check it for slips; otherwise ask the operator for a new one.',
    example:
      'This code is mistyped or was revoked. Check it against the message it came with. Ask the operator for a new code.',
  },
  code_expired: {
    about: 'The code was not used before its expiry date (UTC). Ask the operator for a new one.',
    example: 'This code could be used before 2026-12-31 (UTC). Ask the operator for a new code.',
  },
  code_used: {
    about:
      'The onboarding of this code has been completed: there is nothing left to do with it. An administrator of the organization connects another identity provider; if none can sign in, ask the operator for a new code.',
    example:
      'The onboarding with this code is complete. Administrators change the connection in the app; if none can sign in, ask the operator for a new code.',
  },
  missing_token: {
    about: 'The request has no token. Exchange the code first, then send `Authorization: Bearer <token>`.',
    example: 'Send the token of step 1 as the header "Authorization: Bearer <token>".',
  },
  invalid_token: {
    about: 'The token is not one of ours, was cut or changed, or its code was revoked. Exchange the code again.',
    example:
      'This token is not one of this service, or its code was revoked. Exchange the code again: GET /v1/auth/validate?code=<code>.',
  },
  token_expired: {
    about:
      'The token worked until the end of the day on which its code expired (UTC). Ask the operator for a new code.',
    example: 'This token has expired, and its code with it. Ask the operator for a new code.',
  },
  invalid_request: {
    about: 'Fields are missing or not valid; `errors` names each of them. Correct them and send the request again.',
    example: 'Correct the request and send it again: domain is missing.',
    errors: [{ field: 'domain', message: 'is missing' }],
  },
  discovery_failed: {
    about:
      "The identity provider's configuration cannot be read or lacks something that is needed; `detail` says which. The URL must be public and use HTTPS, without redirects.",
    example:
      'The configuration at "https://acme.okta.com/.well-known/openid-configuration" cannot be read: it answers with status 404. Check the URL and try again.',
  },
  domain_taken: {
    about: 'Another organization has connected this domain. If it is yours, ask the operator.',
    example: 'acme.com is connected by another organization. Check the domain; if it is yours, tell the operator.',
  },
  public_domain: {
    about:
      'The domain belongs to a public mail service or is a public suffix: nobody can claim it. Use the domain of the organization.',
    example: 'gmail.com gives addresses to everybody. Use the domain that belongs to your organization alone.',
  },
  unknown_transaction: {
    about:
      'There is no transaction with this id for this token. Use the `transaction_id` of step 2, with the same token or code.',
    example:
      'There is no such transaction for this token. Use the transaction_id that POST /v1/api/oauth gave for the same code.',
  },
  transaction_expired: {
    about: 'The transaction is older than 48 hours, or a later one took its place. Start again at step 2.',
    example:
      'This transaction has expired after 48 hours. Repeat POST /v1/api/oauth, register the sign_in_uri that it gives, and complete that one.',
  },
  already_completed: {
    about: 'The transaction has been completed: the connection is stored. There is nothing left to do.',
    example: 'Another request has just completed this transaction. There is nothing left to do.',
  },
  client_rejected: {
    about:
      'The identity provider does not accept the client ID and secret. Copy both again; check that the application is a web application with the authorization code grant and is active.',
    example:
      'The identity provider answers with "invalid_client" (status 401). Copy the client ID and the client secret again from the same application at the identity provider, whole and without blanks.',
  },
  idp_unavailable: {
    about:
      'The identity provider did not answer as it should, so the client could not be checked. Nothing has changed: try again.',
    example:
      'The client could not be checked at "https://acme.okta.com/oauth2/v1/token": it answers with status 503. Nothing was changed. Try again in a minute.',
  },
  missing_scope: {
    about:
      'The token is good, but not for this call. An administrator or the operator issues one with the scope that is needed, such as `rules:publish`; some calls need a person.',
    example:
      'This token may read packages, and not publish them. Ask your administrator or the operator for one with the scope rules:publish.',
  },
  unknown_file: {
    about:
      'There is no such file, or not for you: it was withdrawn, mistyped, or belongs to an organization whose token was not sent.',
    example: 'There is no such file here. What there is: https://omen.example.com/v1/rules/latest.',
  },
  range_not_satisfiable: {
    about: 'The range begins behind the end of the file. The header `Content-Range` says how long the file is.',
    example: 'The file has 81234 bytes, and the range begins behind them.',
  },
  invalid_package: {
    about:
      'The package is not what its name says, or its rules cannot be used; `detail` says which. Pack it again with `omen-server rules pack`.',
    example: 'The version in the package is 1.3.0, and its name says 1.4.0. Pack it again.',
  },
  signature_rejected: {
    about:
      'The signature is missing, was made for another file, or by a key that is not registered. The operator registers keys with `omen-server keys release --add`.',
    example:
      'The signature of omen-private-cre-rules.1.4.0.3f0c9a1b2d4e.yaml.gz was made by none of the release keys (8e1f0a2b3c4d5e6f), or for another file. Sign this very file with one of them.',
  },
  version_exists: {
    about: 'This version is published with other bytes. A version never changes: publish under a new one.',
    example: 'Version 1.4.0 is published already with other bytes. Publish what is new under a new version.',
  },
  version_outdated: {
    about: 'A newer version is published. Publish under a higher version; only the operator publishes backports.',
    example: '1.3.9 is older than 1.4.0, which is published. Give it a higher version.',
  },
  missing_session: {
    about:
      'Nobody is signed in: there is no session, or it has ended. Sign in at `/v1/auth/login`; a tool sends its access token as `Authorization: Bearer <token>`.',
    example: 'Nobody is signed in here. Sign in: https://omen.example.com/v1/auth/login.',
  },
  sign_in_refused: {
    about:
      'The identity provider said no, or what it said does not count here. `detail` tells why and what to change; the operator finds more by the header `X-Request-Id`.',
    example: 'The identity provider answers with access_denied. Assign the user to the application.',
  },
  cross_site: {
    about:
      'A page of another site has sent this request in the name of whoever is signed in. Nothing has happened. Do it on the pages of this service.',
    example: 'A page of another site has sent this request. Nothing has happened.',
  },
  not_administrator: {
    about:
      'Only administrators of the organization may do this. One of them can make you one, too: `PATCH /v1/org/members/<id>`; where nobody is left, the operator can.',
    example: 'This is for administrators of your organization. Ask one of them, or let one make you an administrator.',
  },
  last_administrator: {
    about:
      'Nobody would be left who can sign in and administer the organization. Make somebody else an administrator first.',
    example:
      'Nobody would be left to administer your organization. Make somebody else an administrator first, who can sign in.',
  },
  domain_unverified: {
    about:
      'The TXT record that proves the domain was not found; `detail` says what was found and what was expected. New records take a while: try again.',
    example:
      'There is no TXT record at _omen.acme.org yet. Expected is a TXT record at _omen.acme.org with the value omen-domain=3f0c9a1b2d4e5f60718293a4b5c6d7e8. New records take minutes, sometimes an hour: try again.',
  },
  primary_domain: {
    about:
      'The domain of the onboarding stays as long as the organization is connected. A new code of the operator connects another one.',
    example:
      'acme.com is the domain that your organization was connected with: it stays. To change it, ask the operator for a new code.',
  },
  too_many_domains: {
    about: 'At most 20 domains wait to be verified at once. Prove or remove some of them first.',
    example: '20 domains wait to be verified already. Prove or remove some of them first.',
  },
  too_many_tokens: {
    about: 'An organization has at most 100 tokens. Revoke those that nobody uses: `last_used_at` tells.',
    example: 'Your organization has 100 tokens. Revoke those that nobody uses first.',
  },
  connection_untested: {
    about:
      'The connection is switched only after you, with the same address, have signed in through the next one. The one in use stays.',
    example:
      'Nobody has signed in through the next connection yet. Test it first: POST /v1/org/connection/test. The one in use stays.',
  },
  connection_changed: {
    about: 'Another administrator has changed the connection meanwhile. Nothing was done: look at it and try again.',
    example:
      'Another administrator has changed the connection meanwhile. Nothing was done: look at it, then try again.',
  },
  rate_limited: {
    about: 'Too many requests in a minute. Wait as many seconds as the header `Retry-After` says.',
    example: 'More than 10 tries in a minute. Try again in 42 seconds.',
  },
  not_found: {
    about:
      'There is nothing at this address. Each call belongs to one host: `detail` names the right one where that is the matter.',
    example: 'There is nothing at this address. What there is: https://omen.example.com/docs.',
  },
  method_not_allowed: {
    about: 'The address exists, but not for this method. The header `Allow` names those that it takes.',
    example: 'Use POST here.',
  },
  unavailable: {
    about: 'The service cannot answer now, most often because its database is away. Nothing has changed: try again.',
    example: 'The database does not answer. Nothing has changed: try again in a few seconds.',
  },
  internal: {
    about:
      'A fault of the service. Nothing that was not confirmed has happened. Try again; if it stays, tell the operator the request id in the header `X-Request-Id`.',
    example: 'Something went wrong here. Try again; if it stays, tell the operator this request id: 3f0c….',
  },
}
