import { type Flag, firstWordsOf, type Program } from '../command-line/program.js'
import { callKubectl, type Kubectl } from './api/kubectl.js'
import { KINDS, kindNamed } from './kinds.js'

/** What kubectl is to do with the words, in the numbers of its library. */
const DIRECTIVES = { asUsual: 0, noSpace: 2, noFiles: 4 } as const

/** What could stand in the place of the last word. */
interface Offer {
  readonly words: readonly string[]
  /** More is typed behind it: `deployment/` and then a name. */
  readonly goesOn?: boolean
  /** Files could stand there too. */
  readonly files?: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** Flags that say which cluster: names are asked for there. */
const CLUSTER_FLAGS: ReadonlySet<string> = new Set(['context', 'kubeconfig', 'as', 'namespace'])

/**
 * Completes the last of the words, as kubectl asks its plugins to: a word a line, and a number that says what to do with them.
 *
 * @example
 * await completeWords(['deployment/w'], KUBECTL_OMEN, process.env) // 'deployment/web\n:4\n'
 */
export async function completeWords(words: readonly string[], program: Program, env: Environment): Promise<string> {
  const { words: offered, goesOn, files } = await offer(words, program, env)
  const last = words.at(-1) ?? ''
  const fitting = offered.filter((word) => word.startsWith(last))
  const directive = files
    ? DIRECTIVES.asUsual
    : DIRECTIVES.noFiles + (goesOn && fitting.length > 0 ? DIRECTIVES.noSpace : 0)
  return [...fitting, `:${directive}`, ''].join('\n')
}

async function offer(words: readonly string[], program: Program, env: Environment): Promise<Offer> {
  const before = words.slice(0, -1)
  const last = words.at(-1) ?? ''
  const asked = flagOf(before.at(-1), program)
  const kubectl = { program: 'kubectl', flags: clusterFlags(before, program), env }
  if (asked?.argument !== undefined) return offerValue(asked, kubectl)
  if (last.startsWith('-')) return { words: program.flags.map(({ name }) => `--${name}`) }
  const verb = before.find((word) => firstWordsOf(program).includes(word))
  if (verb !== undefined) return { words: actionsAfter(before, verb, program), files: true }
  return offerTarget(last, before.length === 0 ? program : undefined, kubectl)
}

function flagOf(word: string | undefined, { flags }: Program): Flag | undefined {
  return flags.find(({ name, short }) => word === `--${name}` || (short !== undefined && word === `-${short}`))
}

/** The names of values that kubectl knows. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  namespace: ['get', 'namespaces', '-o', 'name'],
  context: ['config', 'get-contexts', '-o', 'name'],
}

async function offerValue({ name, choices, suggests, completes }: Flag, kubectl: Kubectl): Promise<Offer> {
  const known = Object.hasOwn(NAMES, name) ? await namesBy(kubectl, NAMES[name]!) : undefined
  return { words: choices ?? suggests ?? known ?? [], files: completes === 'file' || completes === 'folder' }
}

function actionsAfter(before: readonly string[], verb: string, program: Program): readonly string[] {
  const isLast = before.at(-1) === verb
  return isLast ? program.verbs.filter(({ words }) => words[0] === verb && words[1]).map(({ words }) => words[1]!) : []
}

async function offerTarget(last: string, program: Program | undefined, kubectl: Kubectl): Promise<Offer> {
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
  return { words: [...pods, ...kinds, ...verbs], goesOn: isKind && !pods.some((pod) => pod.startsWith(last)) }
}

/** What kubectl lists with `-o name`, less the kind: nothing when it cannot. */
async function namesBy(kubectl: Kubectl, words: readonly string[]): Promise<readonly string[]> {
  const { status, out } = await callKubectl(kubectl, [
    ...words,
    ...(words[0] === 'get' ? ['--request-timeout=3s'] : []),
  ])
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
