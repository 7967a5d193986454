import type { WaitingTool } from '../../devices/devices.js'
import type { User } from '../../sessions/sessions.js'
import type { FormPage } from './form-page.js'
import { html } from './html.js'

/**
 * The page that asks for the code of a tool.
 *
 * @example
 * sendFormPage(reply, 200, codePage({ user, typed: undefined }))
 */
export function codePage({ user, typed }: { readonly user: User; readonly typed: string | undefined }): FormPage {
  const error =
    typed === undefined
      ? ''
      : html`<p class="error" id="code-error" role="alert">No tool waits with this code. Compare it with your terminal; a code expires after 15 minutes.</p>\n`
  return {
    title: 'Sign in the omen tool',
    body: html`<p>You are signed in as ${user.email}. Enter the code that your terminal shows.</p>
<form class="code" method="get" action="/device">
<label for="user_code">Code</label>
${error}<input id="user_code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" placeholder="XXXX-XXXX" required autofocus value="${typed ?? ''}"${typed === undefined ? '' : html` aria-invalid="true" aria-describedby="code-error"`}>
<button type="submit">Continue</button>
</form>`,
  }
}

/** The page on which a user approves or denies a tool. */
export function approvalPage({ user, tool }: { readonly user: User; readonly tool: WaitingTool }): FormPage {
  return {
    title: 'Sign in the omen tool?',
    body: html`<p>A tool wants to use Omen as ${user.email} (${user.org.name}) for 30 days.</p>
<dl>
<dt>Code</dt><dd><strong>${tool.userCode}</strong></dd>
<dt>From</dt><dd>${tool.address}</dd>
<dt>Program</dt><dd>${tool.agent === '' ? 'unknown' : tool.agent}</dd>
<dt>Requested</dt><dd>${tool.createdAt.toISOString().slice(0, 16).replace('T', ' ')} (UTC)</dd>
</dl>
<p>Approve only if you have just run <code>omen login</code> yourself and your terminal shows this code. If somebody sent you this link, deny it.</p>
<form class="row" method="post" action="/device">
<input type="hidden" name="user_code" value="${tool.userCode}">
<button type="submit" name="decision" value="approve">Approve</button>
<button class="quiet" type="submit" name="decision" value="deny">Deny</button>
</form>`,
  }
}
