import type { Plan } from '../../condition.js'
import { type CharSet, MAX_CODE, setRanges } from '../parse/charset.js'
import { hasCase } from '../parse/fold.js'
import type { RegexNode } from '../parse/node.js'
import { chainsToPlan } from './alternatives.js'
import {
  appendLink,
  type Chain,
  chainOf,
  collapse,
  crossChains,
  EMPTY_CHAIN,
  gap,
  type Link,
  longestText,
  MAX_CHAINS,
  textLink,
} from './chain.js'

/** Classes of more characters are not spelled out. */
const MAX_CHOICE = 4

/** Copies of `x{n}` are spelled out up to about this many characters. */
const LONG_TEXT = 256

/**
 * What an entry must contain for the pattern to match it, as alternatives of strings in order. Sound: a text that matches
 * contains the needles of one alternative. An alternative marked `exact` is also sufficient.
 *
 * ```ts
 * planRegex(parseRegex('502|503'))       // two exact alternatives of one needle
 * planRegex(parseRegex('lost.*(a|b)c'))  // 'lost' … 'ac' and 'lost' … 'bc', exact
 * planRegex(parseRegex('id=\\d+ done'))  // 'id=' … ' done', not exact
 * planRegex(parseRegex('\\d+'))          // null: nothing is certain
 * ```
 */
export function planRegex(node: RegexNode): Plan {
  return chainsToPlan(toChains(node, true))
}

/** The chains of a node. `leading`: it is the first of the pattern, so that a match may begin anywhere in it. */
function toChains(node: RegexNode, leading: boolean): readonly Chain[] {
  switch (node.kind) {
    case 'empty':
      return [EMPTY_CHAIN]
    case 'assertion':
      return [{ links: [], exact: false }]
    case 'any':
      return [chainOf(gap(1))]
    case 'literal':
      return [literalChain(node.text, node.fold)]
    case 'class':
      return [chainOf(classLink(node.set))]
    case 'group':
      return toChains(node.node, leading)
    case 'concat':
      return concatChains(node.nodes, leading)
    case 'alternate':
      return alternateChains(node.nodes, leading)
    case 'repeat':
      return repeatChains(node, leading)
  }
}

function literalChain(text: string, fold: boolean): Chain {
  if (fold ? /^[\0-\x7f]*$/.test(text) : !text.includes('\ufffd')) return chainOf(textLink(text, fold))
  const links: Link[] = []
  for (const character of text) appendLink(links, codeLink(character.codePointAt(0)!, fold))
  return { links, exact: true }
}

const isLetter = (code: number): boolean => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)

/**
 * Bytes that are not UTF-8 read as U+FFFD, and surrogates do not exist in UTF-8: neither can be searched for. A letter
 * beyond ASCII in either case is left to the test: the scanner folds ASCII only.
 */
function codeLink(code: number, fold: boolean): Link {
  if (code === 0xfffd || (code >= 0xd800 && code <= 0xdfff)) return gap(1)
  const link = textLink(String.fromCodePoint(code), fold)
  return fold && code >= 0x80 && (link.fold || hasCase(code)) ? gap(1) : link
}

function classLink(set: CharSet): Link {
  if (set.properties.length > 0) return gap(1)
  const ranges = setRanges(set)
  const codes: number[] = []
  for (let i = 0; i < ranges.length; i += 2) {
    if (ranges[i + 1]! - ranges[i]! + codes.length >= MAX_CHOICE) return gap(1)
    for (let code = ranges[i]!; code <= ranges[i + 1]!; code++) codes.push(code)
  }
  const letter = foldedLetter(codes)
  if (letter !== undefined) return { kind: 'text', text: letter, fold: true }
  if (codes.length === 0 || codes.some((code) => codeLink(code, false).kind === 'gap')) return gap(1)
  return codes.length === 1 ? codeLink(codes[0]!, false) : { kind: 'choice', codes }
}

/** `(?i)[k]` is K, k and the Kelvin sign: a folded needle matches all three (condition.ts). */
function foldedLetter(codes: readonly number[]): string | undefined {
  if (codes.length !== 3 || !isLetter(codes[0]!) || codes[1] !== codes[0]! + 32) return undefined
  const beyond = { k: 0x212a, s: 0x17f }[String.fromCharCode(codes[1]!)]
  return codes[2] === beyond ? String.fromCharCode(codes[1]!) : undefined
}

function concatChains(nodes: readonly RegexNode[], leading: boolean): readonly Chain[] {
  let chains: readonly Chain[] = [EMPTY_CHAIN]
  let first = leading
  for (const node of nodes) {
    const next = toChains(node, first)
    chains = crossChains(chains, next)
    first &&= chains.every((chain) => chain.exact && chain.links.every((link) => link.kind === 'gap' && link.optional))
  }
  return chains
}

function alternateChains(nodes: readonly RegexNode[], leading: boolean): readonly Chain[] {
  const chains: Chain[] = []
  for (const node of nodes) for (const chain of toChains(node, leading)) chains.push(chain)
  return chains.length <= MAX_CHAINS ? chains : shortenChains(chains)
}

/** Reduces very many alternatives to their best texts, which are shortened until few enough differ. */
function shortenChains(chains: readonly Chain[]): readonly Chain[] {
  const best = chains.map(longestText)
  for (const length of [32, 16, 8, 4, 3, 2, 1]) {
    const shorter = new Map<string, Chain>()
    for (const link of best) {
      if (!link) return [collapse(chains)]
      const text = [...link.text.slice(0, 2 * length)].slice(0, length).join('')
      shorter.set(`${link.fold} ${text}`, { links: [gap(0), { ...link, text }, gap(0)], exact: false })
    }
    if (shorter.size <= MAX_CHAINS) return [...shorter.values()]
  }
  return [collapse(chains)]
}

type Repeat = Extract<RegexNode, { kind: 'repeat' }>

function repeatChains({ node, min, max }: Repeat, leading: boolean): readonly Chain[] {
  if (max === 0) return [EMPTY_CHAIN]
  if (max === Infinity && isAnyCharacter(node)) return [chainOf(gap(min, true))]
  const inner = toChains(node, leading && min === 1)
  const endless = max === Infinity && onlyAnyGap(inner)
  if (endless) return [chainOf(gap(endless.min * min, true))]
  if (min === 0) return max === 1 && isFewTexts(inner) ? [...inner, EMPTY_CHAIN] : [chainOf(gap(0))]
  const copies = repeatedChains(inner, min)
  if (max === min) return copies
  // x+ is x*x as well as xx*: before the first text the optional part goes first, because there it can be left out.
  const more = [chainOf(gap(0))]
  return leading ? crossChains(more, copies) : crossChains(copies, more)
}

function repeatedChains(inner: readonly Chain[], count: number): readonly Chain[] {
  let chains = inner
  for (let done = 1; done < count; done++) {
    if (chains.some((chain) => (longestText(chain)?.text.length ?? 0) > LONG_TEXT)) {
      const { min, ...rest } = collapse(inner).links[0] as ReturnType<typeof gap>
      return crossChains(chains, [chainOf({ ...rest, min: min * (count - done) })])
    }
    chains = crossChains(chains, inner)
  }
  return chains
}

/** `x?` with a plain x is worth two alternatives. */
const isFewTexts = (chains: readonly Chain[]): boolean =>
  chains.length <= 2 && chains.every(({ exact, links }) => exact && links.every((link) => link.kind === 'text'))

/** The gap, if a repeated part is only `.*` or `.+`. */
function onlyAnyGap(chains: readonly Chain[]): ReturnType<typeof gap> | undefined {
  const [link, ...others] = chains.length === 1 && chains[0]!.exact ? chains[0]!.links : []
  return link?.kind === 'gap' && link.any && link.min <= 1 && others.length === 0 ? link : undefined
}

/** The dot and what people write for it, such as `[\s\S]` and `(?:.|\n)`. */
function isAnyCharacter(node: RegexNode): boolean {
  switch (node.kind) {
    case 'any':
      return node.newline
    case 'class': {
      const [first, last] = node.set.properties.length === 0 ? setRanges(node.set) : []
      return first === 0 && last === MAX_CODE
    }
    case 'group':
      return isAnyCharacter(node.node)
    case 'alternate':
      return node.nodes.some(isAnyCharacter) && node.nodes.every(isOneCharacter)
    default:
      return false
  }
}

const isOneCharacter = (node: RegexNode): boolean =>
  node.kind === 'any' || node.kind === 'class' || (node.kind === 'literal' && [...node.text].length === 1)
