import type { MapNode } from '@omen/engine'
import { nearest, quote } from '@omen/engine/messages'
import type { Remarks } from './remarks.js'
import { type Key, type Keys, leavesOf } from './shape.js'

/** Where a map stands: its keys, the name before theirs, and what else the file knows. */
export interface MapPlace {
  readonly keys: Keys
  /** `rules.` in `rules`; empty at the top, and in the items of a list. */
  readonly prefix: string
  /** All keys of the file, for a key that stands in the wrong map. */
  readonly root: Keys
}

/** A map with more of them is not what it is taken for: to look for a hint for each would take long and help nobody. */
const MOST = 100

/** Warns of every key that means nothing in its place, with the one that was most likely meant. */
export function warnOfUnknownKeys(map: MapNode, place: MapPlace, remarks: Remarks): void {
  const strange = [...map.entries].filter(([name]) => !Object.hasOwn(place.keys, name))
  for (const [name, { start, value }] of strange.slice(0, MOST)) {
    const meant = siblingMeant(name, place.keys)
    const shape = meant === undefined ? undefined : place.keys[meant]!.shape
    if (shape?.is === 'map' && value.kind === 'map' && value.entries.size > 0) {
      warnOfChildren(value, `${place.prefix}${name}.`, `${place.prefix}${meant}.`, shape.keys, remarks)
    } else {
      remarks.warn(start, `unknown key ${shown(place.prefix, name)}: ${hintFor(name, meant, place)}`)
    }
  }
}

/** The name of a map is wrong: its keys are named one by one, because each of them has no effect. */
function warnOfChildren(map: MapNode, written: string, meant: string, keys: Keys, remarks: Remarks): void {
  for (const [name, { start }] of [...map.entries].slice(0, MOST)) {
    const child = Object.hasOwn(keys, name) ? name : siblingMeant(name, keys)
    const hint = child === undefined ? 'it is ignored' : `did you mean ${quote(meant + child)}?`
    remarks.warn(start, `unknown key ${shown(written, name)}: ${hint}`)
  }
}

/** A URL in the place of a key is a webhook that slipped there: it is a secret. */
function shown(prefix: string, name: string): string {
  return quote(prefix + (name.includes('://') ? '…' : name))
}

function hintFor(name: string, sibling: string | undefined, { keys, prefix, root }: MapPlace): string {
  const full = prefix + name
  const leaves = leavesOf(root)
  if (name.includes('.') && leaves.some(([leaf]) => leaf === full)) return `write it nested, as ${nested(full)}`
  if (sibling !== undefined) return `did you mean ${quote(prefix + sibling)}?`
  const elsewhere = leaves.find(([leaf, key]) => isMeant(name, leaf.slice(leaf.lastIndexOf('.') + 1), key))
  // Only at the top: a prefix that fits by itself would make any name seem near.
  const names = prefix === '' ? leaves.map(([leaf]) => leaf) : []
  const meant = elsewhere?.[0] ?? nearest(name, names)
  if (meant !== undefined) return `did you mean ${quote(meant)}?`
  return `it is ignored; known here: ${Object.keys(keys).join(', ')}`
}

function siblingMeant(name: string, keys: Keys): string | undefined {
  const mistaken = Object.entries(keys).find(([known, key]) => isMeant(name, known, key))
  return mistaken?.[0] ?? nearest(name, Object.keys(keys))
}

function isMeant(name: string, known: string, { mistakenFor = [] }: Key): boolean {
  return plainName(name) === plainName(known) || mistakenFor.some((other) => plainName(other) === plainName(name))
}

/** `data_sources` and `data-sources` are `dataSources`, written by somebody else. */
function plainName(name: string): string {
  return name.slice(0, 100).replaceAll(/[-_]/g, '').toLowerCase()
}

/** `rules: {paths: …}` for `rules.paths`. */
function nested(name: string): string {
  const parts = name.split('.')
  const inner = parts.slice(1).reduceRight((inside, part) => `{${part}: ${inside}}`, '…')
  return `${parts[0]}: ${inner}`
}
