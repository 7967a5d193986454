import { type CurlCall, curlCommand } from '../api/curl.js'
import { CopyButton } from './copy-button.js'

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
