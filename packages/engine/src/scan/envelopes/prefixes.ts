/** The characters in the random parts of Kubernetes names: no vowels, so that they form no words. */
const RANDOM = '[bcdfghjklmnpqrstvwxz2456789]'

const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'

/**
 * Pods that a Deployment, a CronJob, a DaemonSet or a Job has named, or a StatefulSet. Other names could be ordinary words.
 */
const POD = String.raw`[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?-(?:(?:${RANDOM}{6,10}-|\d{6,10}-)?${RANDOM}{5}|\d{1,5})`

/** What tools write before every line to say where it comes from. */
const PREFIXES: readonly RegExp[] = [
  // docker compose logs, docker service logs: `web-1  | `.
  /[A-Za-z0-9][\w.@-]* +\|(?: |$)/my,
  // kubectl logs --prefix: `[pod/web-0/app] `.
  /\[pod\/[^/\s\]]+\/[^/\s\]]+\](?: |$)/my,
  // stern: `web-0 app `.
  new RegExp(`${POD} ${LABEL}(?: |$)`, 'my'),
]

/**
 * The text without what `docker compose logs`, `kubectl logs --prefix` or stern writes before every line. A text in which
 * one line does not begin with it is not theirs.
 *
 * @example
 * messageOfPrefixed('web-1  | Traceback:\nweb-1  |   File "app.py"') // 'Traceback:\n  File "app.py"'
 */
export function messageOfPrefixed(text: string): string | undefined {
  for (const prefix of PREFIXES) {
    const message = withoutPrefix(text, prefix)
    if (message !== undefined) return message
  }
  return undefined
}

function withoutPrefix(text: string, prefix: RegExp): string | undefined {
  let message = ''
  for (let start = 0; ; ) {
    prefix.lastIndex = start
    if (!prefix.test(text)) return undefined
    const end = text.indexOf('\n', start)
    if (end < 0) return message + text.slice(prefix.lastIndex)
    message += text.slice(prefix.lastIndex, end + 1)
    start = end + 1
  }
}

/** An RFC 3339 time and a space, as `--timestamps` puts it before a line; then perhaps the stream and tag of CRI. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:\d\d) (?:std(?:out|err) [FP](?::\S*)?(?: |$))?/

/** The text after an RFC 3339 time: the text of an entry does not contain it, so a message does not either. */
export function messageOfTimed(text: string): string | undefined {
  if (text[10] !== 'T') return undefined
  const time = TIME.exec(text)
  return time === null ? undefined : text.slice(time[0].length)
}
