import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import { Missing } from '../sources/origin.js'
import { ApiError, Unreachable } from './api/api.js'
import type { ContainerLog } from './read-log.js'

/** The request that failed. */
export interface Attempt {
  readonly verb: 'get' | 'list'
  /** The resource in the syntax of roles: `pods`, `pods/log`, `deployments`. */
  readonly resource: string
  readonly group: string
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined
}

/**
 * Explains why a request failed, with a hint.
 *
 * @example
 * throw explainError(error, { verb: 'list', resource: 'pods', group: '', namespace: 'shop' })
 */
export function explainError(error: unknown, attempt: Attempt): unknown {
  if (error instanceof ApiError) return explainApiError(error, attempt)
  return error instanceof Unreachable ? explainUnreachable(error.message) : error
}

const UNKNOWN_USER = {
  message: 'the cluster does not accept your credentials: they have expired, or belong to another cluster',
  hint: 'Sign in as for kubectl, then check with: kubectl get pods',
}

function explainApiError(error: ApiError, attempt: Attempt): Failure {
  const { status, message } = error
  if (status === 401) {
    return new Failure('Cluster', UNKNOWN_USER.message, { cause: error, hint: UNKNOWN_USER.hint })
  }
  if (status === 403) return explainForbidden(error, attempt)
  if (status === 429) {
    return new Failure('Cluster', 'the API server is too busy', {
      cause: error,
      hint: 'Try again later, with fewer requests at a time: --parallel 2',
    })
  }
  return new Failure('Cluster', `the API server responded: ${oneLine(message) || `HTTP ${status}`}`, { cause: error })
}

function explainForbidden(error: ApiError, attempt: Attempt): Failure {
  const { verb, resource, namespace } = attempt
  const [, user] = /User "([^"]*)"/.exec(error.message) ?? []
  const subject = user === undefined ? 'you' : sanitize(user)
  const where = namespace === undefined ? 'in all namespaces' : `in the namespace ${namespace}`
  return new Failure('Cluster', `no permission: ${subject} may not ${verb} ${resource} ${where}`, {
    cause: error,
    hint: roleThatHelps(attempt, user),
  })
}

/** The commands that create the missing role. */
export function roleThatHelps({ verb, resource, group, namespace }: Attempt, user: string | undefined): string {
  const isCluster = namespace === undefined
  const [role, binding] = isCluster ? ['clusterrole', 'clusterrolebinding'] : ['role', 'rolebinding']
  const namespaceFlag = isCluster ? '' : ` -n ${namespace}`
  const isPods = resource === 'pods' || resource === 'pods/log'
  const name = isPods ? 'omen' : `omen-${resource}`
  const resources = isPods ? 'pods,pods/log' : group === '' ? resource : `${resource}.${group}`
  const verbs = isPods ? 'get,list,watch' : verb
  return [
    'An administrator of the cluster can allow it:',
    `  kubectl create ${role} ${name}${namespaceFlag} --verb=${verbs} --resource=${resources}`,
    `  kubectl create ${binding} ${name}${namespaceFlag} --${role}=${name} ${subjectFor(user)}`,
  ].join('\n')
}

function subjectFor(user: string | undefined): string {
  const [, namespace, account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user ?? '') ?? []
  if (namespace !== undefined) return `--serviceaccount=${sanitize(`${namespace}:${account}`)}`
  return `--user=${user === undefined ? '<user>' : quoteForShell(sanitize(user))}`
}

function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

interface Reason {
  readonly pattern: RegExp
  readonly message: (match: RegExpExecArray) => string
  readonly hint: string
}

/** Messages of kubectl and its libraries without a response; the first match is used. */
const REASONS: readonly Reason[] = [
  {
    pattern: /(?:localhost|127\.0\.0\.1|\[::1\]):8080/,
    message: () => 'no cluster: kubectl has no configuration, or no current context',
    hint: 'Select a context: kubectl config get-contexts, then --context <name>; or a file: --kubeconfig <file>',
  },
  {
    pattern:
      /context "([^"]*)" does not exist|context was not found for specified context: (\S+)|cannot locate context (\S+)/,
    message: ([, a, b, c]) => `no context ${sanitize(a ?? b ?? c ?? '')} in the configuration of kubectl`,
    hint: 'List the contexts: kubectl config get-contexts',
  },
  {
    pattern: /(?:stat|open) ([^\n:]+): no such file or directory|Config not found: (\S+)/,
    message: ([, a, b]) => `no such file: ${sanitize(a ?? b ?? '')}`,
    hint: 'Give the configuration of kubectl with --kubeconfig or KUBECONFIG',
  },
  {
    pattern: /error loading config file "([^"]*)"|couldn't get version\/kind; json parse error/,
    message: ([, file]) =>
      `the configuration of kubectl cannot be read${file === undefined ? '' : `: ${sanitize(file)}`}`,
    hint: 'See the reason: kubectl config view',
  },
  {
    pattern: /exec: executable (\S+) not found|exec: "([^"]+)": executable file not found/,
    message: ([, a, b]) => `the program that signs you in to the cluster is missing: ${sanitize(a ?? b ?? '')}`,
    hint: 'Install it, then check with: kubectl get pods',
  },
  {
    pattern: /must be logged in to the server|the server has asked for the client to provide credentials/,
    message: () => UNKNOWN_USER.message,
    hint: UNKNOWN_USER.hint,
  },
  {
    // The output of the sign-in program follows, between lines of kubectl about the same error.
    pattern: /getting credentials: ([^\n]*)([\s\S]*)/,
    message: ([, why = '', more = '']) => {
      const output = oneLine(more.replaceAll(/^.*getting credentials.*$/gm, ''))
      return `signing in to the cluster failed: ${oneLine(why)}${output === '' ? '' : ` (${output})`}`
    },
    hint: 'Sign in again, then check with: kubectl get pods',
  },
  {
    pattern: /lookup (\S+?)(?: on [^:]*:\d+)?: no such host|getaddrinfo \w+ (\S+)|no such host/,
    message: ([, a, b]) => `the address of the cluster is unknown${a || b ? `: ${sanitize(a ?? b ?? '')}` : ''}`,
    hint: 'Is a VPN off, or was the cluster deleted? Check with: kubectl cluster-info',
  },
  {
    pattern: /x509: ([^\n]*)|self[- ]signed certificate|unable to verify the first certificate|certificate has expired/,
    message: ([, why]) =>
      `the certificate of the cluster is not trusted${why === undefined ? '' : `: ${oneLine(why)}`}`,
    hint: 'If the cluster was created again, fetch its kubeconfig again',
  },
  {
    pattern: /dial tcp (\S+): connect: connection refused|connect ECONNREFUSED (\S+)|server (\S+) was refused/,
    message: ([, a, b, c]) => `the API server at ${sanitize(a ?? b ?? c ?? '')} does not respond`,
    hint: 'Is the cluster running and reachable? Check with: kubectl cluster-info',
  },
  {
    pattern: /timeout|timed out|deadline exceeded|no route to host|network is unreachable|ETIMEDOUT|EHOSTUNREACH/i,
    message: () => 'the API server does not respond in time',
    hint: 'Is a VPN off? Check with: kubectl cluster-info',
  },
  {
    pattern: /^not JSON: ([^\n]*)/,
    message: ([, text]) => `the response does not come from an API server: ${oneLine(text ?? '')}`,
    hint: 'Check with: kubectl get pods',
  },
]

/** Explains why there is no response, from the message of the client. */
export function explainUnreachable(output: string): Failure {
  for (const { pattern, message, hint } of REASONS) {
    const match = pattern.exec(output)
    if (match) return new Failure('Cluster', message(match), { hint })
  }
  const why = oneLine(output)
  return new Failure('Cluster', `the request to the cluster failed${why === '' ? '' : `: ${why}`}`, {
    hint: 'Check with: kubectl get pods',
  })
}

const MAX_SHOWN = 200

/** The last line that is not empty, shortened and sanitized: the lines before are mostly logs of libraries. */
function oneLine(text: string): string {
  const line = text.split('\n').findLast((part) => part.trim() !== '') ?? ''
  const shown = sanitize(line.replace(/^(?:error: |[EWI]\d{4} \S+ +\d+ \S+\] )/, '').trim())
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown
}

/** Errors of a log that are normal: pods start and end while their logs are read. */
const EXPECTED: readonly Pick<Reason, 'pattern' | 'message'>[] = [
  {
    pattern: /is waiting to start: ([\w ]+)|trying and failing to pull image|PodInitializing|ContainerCreating/,
    message: ([, reason]) => `not started yet${reason === undefined ? '' : ` (${sanitize(reason)})`}, so it has no log`,
  },
  {
    pattern: /^previous terminated container .* not found/,
    message: () => 'the log before the restart no longer exists',
  },
  { pattern: /^pods "[^"]*" not found/, message: () => 'the pod was deleted before its log was read' },
  {
    pattern: /^container \S+ is not valid for pod/,
    message: () => 'the container no longer exists: the pod was replaced',
  },
  {
    pattern: /no such file or directory|unable to retrieve container logs|log file .* not found/,
    message: () => 'its log no longer exists: the node has rotated it, or removed the container',
  },
]

/** Explains why a log cannot be read: a `Missing` if that is normal, otherwise a `Failure`. */
export function explainLog(error: unknown, place: ContainerLog): unknown {
  if (!(error instanceof ApiError)) {
    const explained = explainError(error, attemptFor(place))
    return explained instanceof Failure ? inOneLine(explained) : explained
  }
  for (const { pattern, message } of EXPECTED) {
    const match = pattern.exec(error.message)
    if (match) return new Missing(message(match), { cause: error })
  }
  return inOneLine(explainError(error, attemptFor(place)) as Failure)
}

function attemptFor({ namespace }: ContainerLog) {
  return { verb: 'get', resource: 'pods/log', group: '', namespace } as const
}

/** Each failed source is reported in one line, with its hint. */
function inOneLine({ message, hint }: Failure): Failure {
  const lines = hint?.split('\n').map((line) => line.trim()) ?? []
  return new Failure('Data', lines.length === 0 ? message : `${message}. ${lines.join(' ')}`)
}
