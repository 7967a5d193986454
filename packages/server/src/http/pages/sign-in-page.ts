import type { FormPage } from './form-page.js'
import { html } from './html.js'

export interface SignInPage {
  readonly email: string | undefined
  readonly target: string | undefined
  readonly reason: 'nothing' | 'unknown_address' | 'several'
  /** Whether identity providers may use HTTP: for development. */
  readonly isInsecure: boolean
}

/** The sentence above the field, and the error. */
const MESSAGES: Readonly<Record<SignInPage['reason'], { readonly lead: string; readonly error?: string }>> = {
  nothing: { lead: 'You continue on the sign-in page of your organization.' },
  several: { lead: 'Several organizations use this identity provider. Enter your address to choose yours.' },
  unknown_address: {
    lead: 'You continue on the sign-in page of your organization.',
    error:
      'No organization is connected for this address. Check it for typing mistakes; if it is right, ask your administrator whether your organization uses Omen.',
  },
}

/**
 * The page that asks for an e-mail address.
 *
 * @example
 * sendFormPage(reply, 200, signInPage({ email: undefined, target: undefined, reason: 'nothing', isInsecure: false }))
 */
export function signInPage({ email, target, reason, isInsecure }: SignInPage): FormPage {
  const { lead, error } = MESSAGES[reason]
  return {
    title: 'Sign in',
    // The form redirects to the identity provider, which may be on any host.
    formTargets: isInsecure ? ['https:', 'http:'] : ['https:'],
    body: html`<p>${lead}</p>
<form method="post" action="/v1/auth/login">
<label for="email">Work e-mail address</label>
${error === undefined ? '' : html`<p class="error" id="email-error" role="alert">${error}</p>\n`}<input id="email" name="email" type="email" autocomplete="username" inputmode="email" spellcheck="false" autocapitalize="none" maxlength="320" required autofocus value="${email ?? ''}"${error === undefined ? '' : html` aria-invalid="true" aria-describedby="email-error"`}>
${target === undefined ? '' : html`<input type="hidden" name="target_link_uri" value="${target}">\n`}<button type="submit">Continue</button>
</form>`,
  }
}
