import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import { Refused, Unreachable } from './api/api.js'

/** What was asked of the cluster when it refused. */
export interface Attempt {
  readonly verb: 'get' | 'list'
  /** The resource as roles name it: `pods`, `pods/log`, `deployments`. */
  readonly resource: string
  readonly group: string
  /** Undefined: of all namespaces. */
  readonly namespace: string | undefined
}

/**
 * What kept a request from being made, told as a sentence and a way out.
 *
 * @example
 * throw explainError(error, { verb: 'list', resource: 'pods', group: '', namespace: 'shop' })
 */
export function explainError(error: unknown, attempt: Attempt): unknown {
  if (error instanceof Refused) return explainRefused(error, attempt)
  return error instanceof Unreachable ? explainUnreachable(error.message) : error
}

const UNKNOWN_USER = {
  message: 'the cluster does not know who you are: the sign-in has expired, or is for another one',
  hint: 'Sign in as you do for kubectl, then see whether this works: kubectl get pods',
}

function explainRefused(error: Refused, attempt: Attempt): Failure {
  const { status, message } = error
  if (status === 401) {
    return new Failure('Cluster', UNKNOWN_USER.message, { cause: error, hint: UNKNOWN_USER.hint })
  }
  if (status === 403) return explainForbidden(error, attempt)
  if (status === 429) {
    return new Failure('Cluster', 'the API server is too busy to answer', {
      cause: error,
      hint: 'Try again in a while, with fewer at a time: --parallel 2',
    })
  }
  return new Failure('Cluster', `the API server says: ${oneLine(message) || `HTTP ${status}`}`, { cause: error })
}

function explainForbidden(error: Refused, attempt: Attempt): Failure {
  const { verb, resource, namespace } = attempt
  const [, user] = /User "([^"]*)"/.exec(error.message) ?? []
  const who = user === undefined ? 'you' : sanitize(user)
  const where = namespace === undefined ? 'in all namespaces' : `in the namespace ${namespace}`
  return new Failure('Cluster', `no permission: ${who} may not ${verb} ${resource} ${where}`, {
    cause: error,
    hint: roleThatHelps(attempt, user),
  })
}

/** What pods and their logs need, and more where something else was asked for. */
export function roleThatHelps({ verb, resource, group, namespace }: Attempt, user: string | undefined): string {
  const isCluster = namespace === undefined
  const [role, binding] = isCluster ? ['clusterrole', 'clusterrolebinding'] : ['role', 'rolebinding']
  const place = isCluster ? '' : ` -n ${namespace}`
  const isPods = resource === 'pods' || resource === 'pods/log'
  const name = isPods ? 'omen' : `omen-${resource}`
  const resources = isPods ? 'pods,pods/log' : group === '' ? resource : `${resource}.${group}`
  const verbs = isPods ? 'get,list,watch' : verb
  return [
    'Who administers the cluster can allow it:',
    `  kubectl create ${role} ${name}${place} --verb=${verbs} --resource=${resources}`,
    `  kubectl create ${binding} ${name}${place} --${role}=${name} ${subjectFor(user)}`,
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
  readonly sign: RegExp
  readonly says: (match: RegExpExecArray) => string
  readonly hint: string
}

/** What kubectl, and the libraries in it, say when there is no answer: the first that fits. */
const REASONS: readonly Reason[] = [
  {
    sign: /(?:localhost|127\.0\.0\.1|\[::1\]):8080/,
    says: () => 'no cluster: kubectl has no configuration, or no current context',
    hint: 'Choose one: kubectl config get-contexts, then --context <name>; or name the file: --kubeconfig <file>',
  },
  {
    sign: /context "([^"]*)" does not exist|context was not found for specified context: (\S+)|cannot locate context (\S+)/,
    says: ([, a, b, c]) => `no context ${sanitize(a ?? b ?? c ?? '')} in the configuration of kubectl`,
    hint: 'See which there are: kubectl config get-contexts',
  },
  {
    sign: /(?:stat|open) ([^\n:]+): no such file or directory|Config not found: (\S+)/,
    says: ([, a, b]) => `no such file: ${sanitize(a ?? b ?? '')}`,
    hint: 'Name the configuration of kubectl with --kubeconfig, or in KUBECONFIG',
  },
  {
    sign: /error loading config file "([^"]*)"|couldn't get version\/kind; json parse error/,
    says: ([, file]) => `the configuration of kubectl cannot be read${file === undefined ? '' : `: ${sanitize(file)}`}`,
    hint: 'See what is wrong with it: kubectl config view',
  },
  {
    sign: /exec: executable (\S+) not found|exec: "([^"]+)": executable file not found/,
    says: ([, a, b]) => `the program that signs you in to the cluster is missing: ${sanitize(a ?? b ?? '')}`,
    hint: 'Install it, then see whether this works: kubectl get pods',
  },
  {
    sign: /must be logged in to the server|the server has asked for the client to provide credentials/,
    says: () => UNKNOWN_USER.message,
    hint: UNKNOWN_USER.hint,
  },
  {
    // What the program for it says itself stands behind, between words of kubectl about the same.
    sign: /getting credentials: ([^\n]*)([\s\S]*)/,
    says: ([, why = '', more = '']) => {
      const said = oneLine(more.replaceAll(/^.*getting credentials.*$/gm, ''))
      return `signing in to the cluster failed: ${oneLine(why)}${said === '' ? '' : ` (${said})`}`
    },
    hint: 'Sign in again, then see whether this works: kubectl get pods',
  },
  {
    sign: /lookup (\S+?)(?: on [^:]*:\d+)?: no such host|getaddrinfo \w+ (\S+)|no such host/,
    says: ([, a, b]) => `the cluster's address is not known here${a || b ? `: ${sanitize(a ?? b ?? '')}` : ''}`,
    hint: 'Is a VPN off, or the cluster gone? See: kubectl cluster-info',
  },
  {
    sign: /x509: ([^\n]*)|self[- ]signed certificate|unable to verify the first certificate|certificate has expired/,
    says: ([, why]) => `the cluster's certificate is not trusted${why === undefined ? '' : `: ${oneLine(why)}`}`,
    hint: 'Is this still the same cluster? Fetch its configuration anew, as you first did',
  },
  {
    sign: /dial tcp (\S+): connect: connection refused|connect ECONNREFUSED (\S+)|server (\S+) was refused/,
    says: ([, a, b, c]) => `the API server at ${sanitize(a ?? b ?? c ?? '')} does not answer`,
    hint: 'Is the cluster running, and can it be reached from here? See: kubectl cluster-info',
  },
  {
    sign: /timeout|timed out|deadline exceeded|no route to host|network is unreachable|ETIMEDOUT|EHOSTUNREACH/i,
    says: () => 'the API server does not answer in time',
    hint: 'Is a VPN off? See: kubectl cluster-info',
  },
  {
    sign: /^not JSON: ([^\n]*)/,
    says: ([, text]) => `that is no API server that answered: ${oneLine(text ?? '')}`,
    hint: 'See whether this works: kubectl get pods',
  },
]

/** Why there is no answer of the cluster, by what the client says about it. */
export function explainUnreachable(said: string): Failure {
  for (const { sign, says, hint } of REASONS) {
    const match = sign.exec(said)
    if (match) return new Failure('Cluster', says(match), { hint })
  }
  const why = oneLine(said)
  return new Failure('Cluster', `the cluster cannot be asked${why === '' ? '' : `: ${why}`}`, {
    hint: 'See whether this works: kubectl get pods',
  })
}

const LONGEST_SHOWN = 200

/** The last line that says something, short and harmless: what goes before is mostly talk of the libraries. */
function oneLine(text: string): string {
  const line = text.split('\n').findLast((part) => part.trim() !== '') ?? ''
  const said = sanitize(line.replace(/^(?:error: |[EWI]\d{4} \S+ +\d+ \S+\] )/, '').trim())
  return said.length > LONGEST_SHOWN ? `${said.slice(0, LONGEST_SHOWN)}…` : said
}
