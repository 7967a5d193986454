import { CopyButton } from '../controls/copy.js'

/** The same step as a command, for those who prefer one. */
export function CurlPanel({ call, note }: { readonly call: CurlCall; readonly note?: string }) {
  const command = curlCommand(call)
  return (
    <details className="curl">
      <summary>The same with curl</summary>
      <div className="command">
        <pre>{command}</pre>
        <CopyButton text={command} what="the curl command" />
      </div>
      {note !== undefined && <p className="fine">{note}</p>}
    </details>
  )
}

export interface CurlCall {
  readonly url: string
  readonly token?: string
  /** Sent as JSON. */
  readonly body?: Readonly<Record<string, string>>
}

/**
 * Writes a call as a command for a shell: every value in single quotes, so that nothing in it means anything to the shell.
 *
 * @example
 * curlCommand({ url: 'https://omen.example/v1/auth/validate?code=K7QF2M-9XTR4B' })
 * // curl 'https://omen.example/v1/auth/validate?code=K7QF2M-9XTR4B'
 */
export function curlCommand({ url, token, body }: CurlCall): string {
  const parts = [`curl ${quote(url)}`]
  if (token !== undefined) parts.push(`-H ${quote(`Authorization: Bearer ${token}`)}`)
  if (body !== undefined) parts.push(`-d ${quote(JSON.stringify(body, undefined, 2))}`)
  return parts.join(' \\\n  ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
