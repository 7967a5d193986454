import type { FieldError, ProblemCode } from '../../problem.js'

interface Guide {
  /** When the problem occurs and how to solve it: a section of the documentation. */
  readonly about: string
  /** The detail of an example. */
  readonly example: string
  readonly errors?: readonly FieldError[]
}

/** The documentation of each code. */
export const PROBLEM_GUIDE: Readonly<Record<ProblemCode, Guide>> = {
  missing_code: {
    about:
      'The request has no code. Add it to the address, as `?code=K7QF2M-9XTR4B`, and put the address in quotation marks in a shell.',
    example: 'Add the code that the operator gave you: /v1/auth/validate?code=<code>.',
  },
  invalid_json: {
    about:
      'The body is not JSON: it is empty, compressed, not UTF-8, or has a mistake such as a missing quotation mark.',
    example: 'The body is empty. Send a JSON object.',
  },
  bad_request: {
    about:
      'The request is malformed: an address with a wrong escape, a header that is too long, or a request that took too long.',
    example: 'The address has a % that is not followed by two hexadecimal digits.',
  },
  body_too_large: {
    about: 'The body has more than 64 KiB, or a package more than 16 MiB. No request of this service needs more.',
    example: 'The body has more than 65536 bytes. Send only the documented fields.',
  },
  invalid_code: {
    about:
      'This code was never issued, or it was revoked. Check it for typing mistakes; otherwise ask the operator for a new one.',
    example:
      'This code is mistyped or was revoked. Compare it with the message in which you received it. Ask the operator for a new code.',
  },
  code_expired: {
    about: 'The code was not used before its expiry date (UTC). Ask the operator for a new one.',
    example: 'This code expired on 2026-12-31 (UTC). Ask the operator for a new code.',
  },
  code_used: {
    about:
      'The onboarding with this code is complete. An administrator of the organization can connect another identity provider; if no administrator can sign in, ask the operator for a new code.',
    example:
      'The onboarding with this code is complete. Administrators change the connection in the app; if none can sign in, ask the operator for a new code.',
  },
  missing_token: {
    about: 'The request has no token. Exchange the code first, then send `Authorization: Bearer <token>`.',
    example: 'Send the token of step 1 as the header "Authorization: Bearer <token>".',
  },
  invalid_token: {
    about: 'The token is not from this service, is incomplete, or its code was revoked. Exchange the code again.',
    example:
      'This token is not one of this service, or its code was revoked. Exchange the code again: GET /v1/auth/validate?code=<code>.',
  },
  token_expired: {
    about:
      'The token was valid until the end of the day on which its code expired (UTC). Ask the operator for a new code.',
    example: 'This token has expired, and its code with it. Ask the operator for a new code.',
  },
  invalid_request: {
    about: 'Fields are missing or not valid; `errors` names each of them. Correct them and send the request again.',
    example: 'Correct the request and send it again: domain is missing.',
    errors: [{ field: 'domain', message: 'is missing' }],
  },
  discovery_failed: {
    about:
      "The identity provider's configuration cannot be read or lacks a required value; `detail` says which. The URL must be public and use HTTPS, without redirects.",
    example:
      'The configuration at "https://acme.okta.com/.well-known/openid-configuration" cannot be read: it returned status 404. Check the URL and try again.',
  },
  domain_taken: {
    about: 'Another organization has connected this domain. If the domain is yours, ask the operator.',
    example:
      'acme.com is already connected by another organization. Check the domain. If it belongs to you, contact the operator.',
  },
  public_domain: {
    about:
      'The domain belongs to a public mail service or is a public suffix: no organization owns it. Use the domain of your organization.',
    example: 'Anyone can get an e-mail address at gmail.com. Use a domain that belongs only to your organization.',
  },
  unknown_transaction: {
    about:
      'There is no transaction with this ID for this token. Use the `transaction_id` of step 2, with the same token or code.',
    example:
      'There is no such transaction for this token. Use the transaction_id that POST /v1/api/oauth gave for the same code.',
  },
  transaction_expired: {
    about: 'The transaction is older than 48 hours, or a later one replaced it. Start again at step 2.',
    example:
      'This transaction has expired after 48 hours. Repeat POST /v1/api/oauth, register the sign_in_uri that it gives, and complete that one.',
  },
  already_completed: {
    about: 'The transaction is completed and the connection is stored. There is nothing left to do.',
    example: 'Another request has just completed this transaction. There is nothing left to do.',
  },
  client_rejected: {
    about:
      'The identity provider does not accept the client ID and secret. Copy both again; check that the application is a web application with the authorization code grant and is active.',
    example:
      'The identity provider answers with "invalid_client" (status 401). Copy the client ID and the client secret again from the same application at the identity provider.',
  },
  idp_unavailable: {
    about:
      'The identity provider did not respond as expected, so the client could not be checked. Nothing has changed: try again.',
    example:
      'The client could not be checked at "https://acme.okta.com/oauth2/v1/token": it returned status 503. Nothing was changed. Try again in a minute.',
  },
  missing_scope: {
    about:
      'The token is valid, but does not allow this request. An administrator or the operator issues one with the required scope, such as `rules:publish`; some requests need a user.',
    example:
      'This token may read packages, and not publish them. Ask your administrator or the operator for one with the scope rules:publish.',
  },
  unknown_file: {
    about:
      'There is no such file for this requester: it was withdrawn, the name is mistyped, or it belongs to an organization whose token was not sent.',
    example: 'There is no such file. See https://omen.example.com/v1/rules/latest.',
  },
  range_not_satisfiable: {
    about: 'The range starts after the end of the file. The header `Content-Range` contains the length of the file.',
    example: 'The file has 81234 bytes, and the range is empty or starts after them.',
  },
  invalid_package: {
    about:
      'The package does not match its name, or its rules cannot be used; `detail` says which. Pack it again with `omen-server rules pack`.',
    example: 'The version in the package is 1.3.0, and its name says 1.4.0. Pack it again.',
  },
  signature_rejected: {
    about:
      'The signature is missing, belongs to another file, or was made with a key that is not registered. The operator registers keys with `omen-server keys release --add`.',
    example:
      'The signature of omen-private-cre-rules.1.4.0.3f0c9a1b2d4e.yaml.gz was made by was not made by a release key (8e1f0a2b3c4d5e6f), or for another file. Sign this very file with one of them.',
  },
  version_exists: {
    about: 'This version is already published with other bytes. A version never changes: publish a new version.',
    example: 'Version 1.4.0 is published already with other bytes. Publish what is new under a new version.',
  },
  version_outdated: {
    about: 'A newer version is published. Publish a higher version; only the operator publishes backports.',
    example: '1.3.9 is older than 1.4.0, which is published. Give it a higher version.',
  },
  missing_session: {
    about:
      'Nobody is signed in: there is no session, or it has ended. Sign in at `/v1/auth/login`; a tool sends its access token as `Authorization: Bearer <token>`.',
    example: 'Nobody is signed in. Sign in at https://omen.example.com/v1/auth/login.',
  },
  sign_in_refused: {
    about:
      'The identity provider rejected the sign-in, or its response is not accepted here. `detail` says why and what to change; the operator finds more in the log by the header `X-Request-Id`.',
    example: 'The identity provider answers with access_denied. Assign the user to the application.',
  },
  cross_site: {
    about:
      'A page of another site sent this request on behalf of the signed-in user. Nothing has changed. Use the pages of this service.',
    example: 'A page of another site sent this request. Nothing has changed.',
  },
  not_administrator: {
    about:
      'Only administrators of the organization may do this. One of them can make you an administrator: `PATCH /v1/org/members/<id>`; if none is left, the operator can.',
    example:
      'Only administrators of your organization can do this. Ask an administrator to do it, or to make you an administrator.',
  },
  last_administrator: {
    about: 'After this change no administrator could sign in. Make another member an administrator first.',
    example: 'Your organization would have no administrator who can sign in. Make another user an administrator first.',
  },
  domain_unverified: {
    about:
      'The TXT record that verifies the domain was not found; `detail` says what was found and what was expected. New records take a while: try again.',
    example:
      'There is no TXT record at _omen.acme.org yet. Add a TXT record at _omen.acme.org with the value omen-domain=3f0c9a1b2d4e5f60718293a4b5c6d7e8. New records can take up to an hour to appear: try again later.',
  },
  primary_domain: {
    about:
      'The domain of the onboarding stays as long as the organization is connected. To change it, ask the operator for a new code.',
    example:
      'acme.com is the domain that your organization was connected with: it stays. To change it, ask the operator for a new code.',
  },
  too_many_domains: {
    about: 'An organization has at most 20 unverified domains. Verify or remove some of them first.',
    example: 'Your organization has 20 unverified domains. Verify or remove some of them first.',
  },
  too_many_tokens: {
    about: 'An organization has at most 100 tokens. Revoke unused tokens first: see `last_used_at`.',
    example: 'Your organization has 100 tokens. Revoke those that nobody uses first.',
  },
  connection_untested: {
    about:
      'You can switch only after you have signed in through the next connection with your own address. The connection in use stays.',
    example:
      'The next connection has not been tested yet. Test it first: POST /v1/org/connection/test. The current connection stays in use.',
  },
  connection_changed: {
    about: 'Another administrator has changed the connection in the meantime. Nothing was done: read it and try again.',
    example:
      'Another administrator has changed the connection meanwhile. Nothing was done: look at it, then try again.',
  },
  rate_limited: {
    about: 'Too many requests in a minute. Wait the number of seconds in the header `Retry-After`.',
    example: 'More than 10 tries in a minute. Try again in 42 seconds.',
  },
  not_found: {
    about:
      'There is nothing at this address. Each address belongs to one host: if the host is wrong, `detail` names the right one.',
    example: 'There is nothing at this address. See https://omen.example.com/docs.',
  },
  method_not_allowed: {
    about: 'The address exists, but not for this method. The header `Allow` names the allowed methods.',
    example: 'Use POST here.',
  },
  unavailable: {
    about:
      'The service is temporarily not available, usually because its database is not. Nothing has changed: try again.',
    example: 'The database does not answer. Nothing has changed: try again in a few seconds.',
  },
  internal: {
    about:
      'The service failed. Only confirmed changes were made. Try again; if it fails again, send the operator the request ID in the header `X-Request-Id`.',
    example: 'The service failed. Try again; if it fails again, send the operator this request ID: 3f0c….',
  },
}
