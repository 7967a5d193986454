import { CopyButton, shellQuote } from '../controls/copy.js'

/** The request of a step as a curl command. */
export function CurlPanel({ request, note }: { readonly request: CurlRequest; readonly note?: string }) {
  const command = curlCommand(request)
  return (
    <details className="curl">
      <summary>Use curl instead</summary>
      <div className="command">
        <pre>{command}</pre>
        <CopyButton text={command} what="the curl command" />
      </div>
      {note !== undefined && <p className="fine">{note}</p>}
    </details>
  )
}

export interface CurlRequest {
  readonly url: string
  readonly token?: string
  /** Sent as JSON. */
  readonly body?: Readonly<Record<string, string>>
}

/**
 * Formats a request as a shell command. Every value is quoted, so the shell expands nothing in it.
 *
 * @example
 * curlCommand({ url: 'https://omen.example/v1/auth/validate?code=K7QF2M-9XTR4B' })
 * // curl 'https://omen.example/v1/auth/validate?code=K7QF2M-9XTR4B'
 */
export function curlCommand({ url, token, body }: CurlRequest): string {
  const lines = [`curl ${shellQuote(url)}`]
  if (token !== undefined) lines.push(`-H ${shellQuote(`Authorization: Bearer ${token}`)}`)
  if (body !== undefined) lines.push(`-d ${shellQuote(JSON.stringify(body, undefined, 2))}`)
  return lines.join(' \\\n  ')
}
