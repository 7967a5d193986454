/**
 * The steps from a syntax tree to a plan work on chains: what a match consists of from left to right, as far as it is known.
 * Invariant: every match of the pattern is spelled by one of its chains; an `exact` chain spells nothing but matches.
 */
export interface Chain {
  readonly links: readonly Link[]
  readonly exact: boolean
}

export type Link = Text | Choice | Gap

/** Exactly these characters. `fold`: ASCII letters in either case; `undefined` if there are no letters, so that both fit. */
export interface Text {
  readonly kind: 'text'
  readonly text: string
  readonly fold: boolean | undefined
}

/** One character out of a few. */
export interface Choice {
  readonly kind: 'choice'
  readonly codes: readonly number[]
}

/** At least `min` characters: any at all (`any`), or something that is not known here. */
export interface Gap {
  readonly kind: 'gap'
  readonly min: number
  readonly any: boolean
  /** It can be empty at every position. */
  readonly optional: boolean
}

/** With more chains than this, the plan would filter nothing. */
export const MAX_CHAINS = 64

/** More links than this are cut off: the first ones are enough for a filter. */
const MAX_LINKS = 64

export const EMPTY_CHAIN: Chain = { links: [], exact: true }

export const gap = (min: number, any = false): Gap => ({ kind: 'gap', min, any, optional: min === 0 })

/** Characters that mean the same with and without `fold`, whatever defines the cases of a letter. */
const isCaseless = (text: string): boolean => text.toLowerCase() === text && text.toUpperCase() === text

/** A link for a text that can be searched for. With `fold`, its letters must be those of ASCII. */
export const textLink = (text: string, fold: boolean): Text => ({
  kind: 'text',
  text,
  fold: isCaseless(text) ? undefined : fold,
})

export const chainOf = (...links: readonly Link[]): Chain => ({ links, exact: true })

/** Chains that spell everything `first` spells, followed by everything `second` spells. */
export function crossChains(first: readonly Chain[], second: readonly Chain[]): readonly Chain[] {
  if (first.length === 1 && second.length === 1) return [appendChain(first[0]!, second[0]!)]
  if (first.length * second.length <= MAX_CHAINS) return first.flatMap((a) => second.map((b) => appendChain(a, b)))
  return isWeaker(first, second) ? crossChains([collapse(first)], second) : crossChains(first, [collapse(second)])
}

function appendChain(first: Chain, second: Chain): Chain {
  const links = [...first.links]
  for (const link of second.links) appendLink(links, link)
  const exact = first.exact && second.exact
  return links.length > MAX_LINKS ? { links: [...links.slice(0, MAX_LINKS), gap(0)], exact: false } : { links, exact }
}

/** Adds a link, joined with the last one where the two make one. */
export function appendLink(links: Link[], link: Link): void {
  const last = links.at(-1)
  const joined = last && (joinTexts(last, link) ?? joinGaps(last, link))
  if (joined) links[links.length - 1] = joined
  else links.push(link)
}

function joinTexts(first: Link, second: Link): Text | undefined {
  if (first.kind !== 'text' || second.kind !== 'text') return undefined
  if (first.fold !== second.fold && first.fold !== undefined && second.fold !== undefined) return undefined
  return { kind: 'text', text: first.text + second.text, fold: first.fold ?? second.fold }
}

/** `.*` swallows what may be empty: `.*\d*` is `.*`. */
function joinGaps(first: Link, second: Link): Gap | undefined {
  if (first.kind !== 'gap' || second.kind !== 'gap') return undefined
  const any = (first.any && (second.any || second.optional)) || (second.any && first.optional)
  return { kind: 'gap', min: first.min + second.min, any, optional: first.optional && second.optional }
}

/** One chain instead of many: all that remains known is the minimum length of a match. */
export function collapse(chains: readonly Chain[]): Chain {
  const optional = chains.some(
    (chain) => chain.exact && chain.links.every((link) => link.kind === 'gap' && link.optional),
  )
  const min = Math.min(...chains.map(shortest))
  return { links: [{ kind: 'gap', min, any: false, optional }], exact: true }
}

/** How many characters a chain spells at least. */
function shortest({ links }: Chain): number {
  let sum = 0
  for (const link of links) {
    if (link.kind === 'gap') sum += link.min
    else sum += link.kind === 'choice' ? 1 : [...link.text].length
  }
  return sum
}

/** Beyond this a longer text does not make a better filter. */
const LONG_ENOUGH = 8

const isWeaker = (first: readonly Chain[], second: readonly Chain[]): boolean => {
  const difference = strength(first) - strength(second)
  return difference === 0 ? first.length > second.length : difference < 0
}

/** The length of the best text that every match contains. */
function strength(chains: readonly Chain[]): number {
  return Math.min(LONG_ENOUGH, ...chains.map((chain) => longestText(chain)?.text.length ?? 0))
}

export function longestText({ links }: Chain): Text | undefined {
  let best: Text | undefined
  for (const link of links) {
    if (link.kind === 'text' && link.text.length > (best?.text.length ?? 0)) best = link
  }
  return best
}
