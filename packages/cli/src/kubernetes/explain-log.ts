import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import { Missing } from '../sources/origin.js'
import { Refused } from './api/api.js'
import { explainError } from './explain.js'
import type { LogPlace } from './read-log.js'

interface Reason {
  readonly sign: RegExp
  readonly says: (match: RegExpExecArray, place: LogPlace) => string
}

/** Refusals of a log that happen every day: pods come and go while they are read. */
const EVERYDAY: readonly Reason[] = [
  {
    sign: /is waiting to start: ([\w ]+)|trying and failing to pull image|PodInitializing|ContainerCreating/,
    says: ([, reason]) => `not started yet${reason === undefined ? '' : ` (${sanitize(reason)})`}: there is no log`,
  },
  { sign: /^previous terminated container .* not found/, says: () => 'the log of the instance before is gone' },
  { sign: /^pods "[^"]*" not found/, says: () => 'the pod was deleted before its log was read' },
  { sign: /^container \S+ is not valid for pod/, says: () => 'the container is gone: the pod was replaced' },
  {
    sign: /no such file or directory|unable to retrieve container logs|log file .* not found/,
    says: () => 'its log is gone: the node has rotated it away, or removed the container',
  },
]

/** Why a log cannot be read: a `Missing` where that is normal, else a failure. */
export function explainLog(error: unknown, place: LogPlace): unknown {
  if (!(error instanceof Refused)) {
    const explained = explainError(error, attemptFor(place))
    return explained instanceof Failure ? inOneLine(explained) : explained
  }
  for (const { sign, says } of EVERYDAY) {
    const match = sign.exec(error.message)
    if (match) return new Missing(says(match, place), { cause: error })
  }
  return inOneLine(explainError(error, attemptFor(place)) as Failure)
}

function attemptFor({ namespace }: LogPlace) {
  return { verb: 'get', resource: 'pods/log', group: '', namespace } as const
}

/** Problems of sources are told in a line each: the way out stands behind. */
function inOneLine({ message, hint }: Failure): Failure {
  const lines = hint?.split('\n').map((line) => line.trim()) ?? []
  return new Failure('Data', lines.length === 0 ? message : `${message}. ${lines.join(' ')}`)
}
