import { nearest, quote } from '@omen/engine/messages'
import { Failure } from '../failure.js'
import { KINDS, type Kind, kindNamed, POD } from './kinds.js'

/** An object whose pods are read. */
export interface Target {
  readonly kind: Kind
  readonly name: string
}

/** What the API takes for the name of an object: anything else would be another path. */
const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/

const HINT = 'Try: kubectl omen --help'

/**
 * Reads the words that name what to look at: `web-1`, `pod/web-1`, `deployment/web`, and as kubectl has it, `deployment web api`.
 *
 * @example
 * readTargets(['deploy/web', 'job/import']) // [{ kind: deployment, name: 'web' }, { kind: job, name: 'import' }]
 */
export function readTargets(words: readonly string[]): readonly Target[] {
  const [first, ...rest] = words
  if (first === undefined) return []
  const spoken = first.includes('/') ? undefined : kindNamed(first)
  const isSpoken = spoken !== undefined && rest.length > 0 && rest.every((word) => !word.includes('/'))
  if (isSpoken) return rest.map((name) => ({ kind: spoken, name: checkName(name, name) }))
  if (spoken && rest.length === 0 && first !== POD.name) {
    throw usage(`${spoken.name} needs a name: kubectl omen ${spoken.name}/<name>`)
  }
  return words.map(readTarget)
}

function readTarget(word: string): Target {
  const slash = word.indexOf('/')
  if (slash < 0) return { kind: POD, name: checkName(word, word) }
  const kind = kindNamed(word.slice(0, slash))
  if (!kind) throw unknownKind(word.slice(0, slash))
  return { kind, name: checkName(word.slice(slash + 1), word) }
}

function checkName(name: string, word: string): string {
  if (NAME.test(name) && !name.includes('..')) return name
  if (name === '') throw usage(`${quote(word)} has no name: write ${word}<name>`)
  const what = 'names have small letters, digits, dots and hyphens'
  throw usage(`${quote(word)} is no pod, deployment, job or service: ${what}`)
}

/**
 * A namespace as it was given. What is none would be another path of the API.
 *
 * @example
 * checkNamespace('shop') // 'shop'
 */
export function checkNamespace(name: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) return name
  throw usage(`${quote(name)} is no namespace: names have small letters, digits and hyphens`)
}

function unknownKind(word: string): Failure {
  const names = KINDS.map(({ name }) => name)
  const meant = nearest(word.toLowerCase(), names)
  const hint = meant === undefined ? `It reads ${names.join(', ')}.` : `Did you mean ${meant}/?`
  return usage(`${quote(word)} has no pods that could be read. ${hint}`)
}

function usage(message: string): Failure {
  return new Failure('Usage', message, { hint: HINT })
}

/** A target as it is typed. */
export function nameOf({ kind, name }: Target): string {
  return `${kind.name}/${name}`
}
