import type { MapNode } from '@omen/engine'
import { nearest, quote } from '@omen/engine/messages'
import type { Findings } from './findings.js'
import { type Key, type Keys, leavesOf } from './shape.js'

/** A map in a document: its known keys, their prefix, and all keys of the file. */
export interface MapContext {
  readonly keys: Keys
  /** `rules.` in `rules`; empty at the top, and in the items of a list. */
  readonly prefix: string
  /** All keys of the file, for hints about a key in the wrong map. */
  readonly root: Keys
}

/** Hints for more unknown keys than this would take long and not help. */
const MOST = 100

/** Warns about every unknown key of a map, and suggests the key that was most likely meant. */
export function warnAboutUnknownKeys(map: MapNode, context: MapContext, findings: Findings): void {
  const unknown = [...map.entries].filter(([name]) => !Object.hasOwn(context.keys, name))
  for (const [name, { start, value }] of unknown.slice(0, MOST)) {
    const meant = siblingMeant(name, context.keys)
    const shape = meant === undefined ? undefined : context.keys[meant]!.shape
    if (shape?.is === 'map' && value.kind === 'map' && value.entries.size > 0) {
      warnAboutChildren(value, `${context.prefix}${name}.`, `${context.prefix}${meant}.`, shape.keys, findings)
    } else {
      findings.warn(start, `unknown key ${shown(context.prefix, name)}: ${hintFor(name, meant, context)}`)
    }
  }
}

/** Warns about every key of a misnamed map, because none of them has an effect. */
function warnAboutChildren(map: MapNode, written: string, meant: string, keys: Keys, findings: Findings): void {
  for (const [name, { start }] of [...map.entries].slice(0, MOST)) {
    const child = Object.hasOwn(keys, name) ? name : siblingMeant(name, keys)
    const hint = child === undefined ? 'it is ignored' : `did you mean ${quote(meant + child)}?`
    findings.warn(start, `unknown key ${shown(written, name)}: ${hint}`)
  }
}

/** A URL instead of a key may be a webhook, which is a secret. */
function shown(prefix: string, name: string): string {
  return quote(prefix + (name.includes('://') ? '…' : name))
}

function hintFor(name: string, sibling: string | undefined, { keys, prefix, root }: MapContext): string {
  const full = prefix + name
  const leaves = leavesOf(root)
  if (name.includes('.') && leaves.some(([leaf]) => leaf === full)) return `write it as nested keys: ${nested(full)}`
  if (sibling !== undefined) return `did you mean ${quote(prefix + sibling)}?`
  const elsewhere = leaves.find(([leaf, key]) => isMeant(name, leaf.slice(leaf.lastIndexOf('.') + 1), key))
  // Only at the top level: a matching prefix would make any name seem near.
  const names = prefix === '' ? leaves.map(([leaf]) => leaf) : []
  const meant = elsewhere?.[0] ?? nearest(name, names)
  if (meant !== undefined) return `did you mean ${quote(meant)}?`
  return `it is ignored; known keys: ${Object.keys(keys).join(', ')}`
}

function siblingMeant(name: string, keys: Keys): string | undefined {
  const mistaken = Object.entries(keys).find(([known, key]) => isMeant(name, known, key))
  return mistaken?.[0] ?? nearest(name, Object.keys(keys))
}

function isMeant(name: string, known: string, { mistakenFor = [] }: Key): boolean {
  return plainName(name) === plainName(known) || mistakenFor.some((other) => plainName(other) === plainName(name))
}

/** Makes `data_sources` and `data-sources` equal to `dataSources`. */
function plainName(name: string): string {
  return name.slice(0, 100).replaceAll(/[-_]/g, '').toLowerCase()
}

/** `rules: {paths: …}` for `rules.paths`. */
function nested(name: string): string {
  const parts = name.split('.')
  const inner = parts.slice(1).reduceRight((inside, part) => `{${part}: ${inside}}`, '…')
  return `${parts[0]}: ${inner}`
}
