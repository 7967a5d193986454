import { type Flag, firstWordsOf, type Program } from '../command-line/program.js'
import { type Kubectl, runKubectl } from './api/kubectl.js'
import { KINDS, kindNamed } from './target.js'

/** How the shell uses the candidates: the directives of the Cobra library in kubectl. */
const DIRECTIVES = { default: 0, noSpace: 2, noFiles: 4 } as const

/** Candidates for the last word. */
interface Candidates {
  readonly words: readonly string[]
  /** The word continues after the candidate: `deployment/` and then a name. */
  readonly continues?: boolean
  /** File names are candidates too. */
  readonly files?: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** Flags that select the cluster, in which names are looked up. */
const CLUSTER_FLAGS: ReadonlySet<string> = new Set(['context', 'kubeconfig', 'as', 'namespace'])

/**
 * Completes the last word in the format of kubectl's plugins: one candidate per line, then the directive.
 *
 * @example
 * await completeWords(['deployment/w'], KUBECTL_OMEN, process.env) // 'deployment/web\n:4\n'
 */
export async function completeWords(words: readonly string[], program: Program, env: Environment): Promise<string> {
  const { words: offered, continues, files } = await findCandidates(words, program, env)
  const last = words.at(-1) ?? ''
  const matching = offered.filter((word) => word.startsWith(last))
  const directive = files
    ? DIRECTIVES.default
    : DIRECTIVES.noFiles + (continues && matching.length > 0 ? DIRECTIVES.noSpace : 0)
  return [...matching, `:${directive}`, ''].join('\n')
}

async function findCandidates(words: readonly string[], program: Program, env: Environment): Promise<Candidates> {
  const before = words.slice(0, -1)
  const last = words.at(-1) ?? ''
  const flag = flagOf(before.at(-1), program)
  const kubectl = { program: 'kubectl', flags: clusterFlags(before, program), env }
  if (flag?.argument !== undefined) return valuesOf(flag, kubectl)
  if (last.startsWith('-')) return { words: program.flags.map(({ name }) => `--${name}`) }
  const verb = before.find((word) => firstWordsOf(program).includes(word))
  if (verb !== undefined) return { words: actionsAfter(before, verb, program), files: true }
  return targetsFor(last, before.length === 0 ? program : undefined, kubectl)
}

function flagOf(word: string | undefined, { flags }: Program): Flag | undefined {
  return flags.find(({ name, short }) => word === `--${name}` || (short !== undefined && word === `-${short}`))
}

/** kubectl commands that list the values of a flag. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  namespace: ['get', 'namespaces', '-o', 'name'],
  context: ['config', 'get-contexts', '-o', 'name'],
}

async function valuesOf({ name, choices, suggests, completes }: Flag, kubectl: Kubectl): Promise<Candidates> {
  const known = Object.hasOwn(NAMES, name) ? await namesBy(kubectl, NAMES[name]!) : undefined
  return { words: choices ?? suggests ?? known ?? [], files: completes === 'file' || completes === 'folder' }
}

function actionsAfter(before: readonly string[], verb: string, program: Program): readonly string[] {
  const isLast = before.at(-1) === verb
  return isLast ? program.verbs.filter(({ words }) => words[0] === verb && words[1]).map(({ words }) => words[1]!) : []
}

async function targetsFor(last: string, program: Program | undefined, kubectl: Kubectl): Promise<Candidates> {
  const slash = last.indexOf('/')
  if (slash >= 0) {
    const typed = last.slice(0, slash)
    const kind = kindNamed(typed)
    const names = kind ? await namesBy(kubectl, ['get', kind.plural, '-o', 'name']) : []
    return { words: names.map((name) => `${typed}/${name}`) }
  }
  const kinds = KINDS.map(({ name }) => `${name}/`)
  const isKind = last !== '' && kinds.some((kind) => kind.startsWith(last))
  const pods = await namesBy(kubectl, ['get', 'pods', '-o', 'name'])
  const verbs = program ? firstWordsOf(program) : []
  return { words: [...pods, ...kinds, ...verbs], continues: isKind && !pods.some((pod) => pod.startsWith(last)) }
}

/** The names that kubectl lists with `-o name`, without the kind; empty if it fails. */
async function namesBy(kubectl: Kubectl, args: readonly string[]): Promise<readonly string[]> {
  const { status, out } = await runKubectl(kubectl, [...args, ...(args[0] === 'get' ? ['--request-timeout=3s'] : [])])
  if (status !== 0) return []
  return out
    .split('\n')
    .map((line) => line.slice(line.indexOf('/') + 1))
    .filter((name) => /^[\w.@:/-]+$/.test(name))
}

function clusterFlags(words: readonly string[], program: Program): readonly string[] {
  return words.flatMap((word, index) => {
    const flag = flagOf(word, program)
    const value = words[index + 1]
    if (flag && CLUSTER_FLAGS.has(flag.name) && value !== undefined) return [`--${flag.name}=${value}`]
    return /^--(?:context|kubeconfig|as|namespace)=/.test(word) ? [word] : []
  })
}
