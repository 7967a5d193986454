import type { Alternative, Needle, Plan } from '../../condition.js'
import { appendLink, type Chain, type Gap, gap, type Link, MAX_CHAINS, textLink } from './chain.js'

/** Choices are spelled out only while a chain does not become more than this many. */
const MAX_SPELLINGS = 16

/** Turns chains into alternatives; `null` when one of them requires nothing. */
export function chainsToPlan(chains: readonly Chain[]): Plan {
  const limit = Math.min(MAX_SPELLINGS, Math.floor(MAX_CHAINS / chains.length))
  const alternatives: Alternative[] = []
  for (const chain of chains) {
    for (const spelled of spellChoices(chain, limit)) {
      const alternative = toAlternative(spelled)
      if (alternative.needles.length === 0) return null
      alternatives.push(alternative)
    }
  }
  return withinLength(withoutRedundant(alternatives))
}

/** All needles together are at most about as long as a pattern may be. */
const MAX_LENGTH = 65_536

/** The length that needles are cut to when all of them together are too long. */
const SHORT = 64

/** The first characters of long needles suffice as a filter, where many alternatives repeat them. */
function withinLength(alternatives: readonly Alternative[]): readonly Alternative[] {
  if (alternatives.reduce((sum, alternative) => sum + totalLength(alternative), 0) <= MAX_LENGTH) return alternatives
  return alternatives.map(({ needles, gaps }) => ({ needles: needles.map(shortened), gaps, exact: false }))
}

const shortened = ({ text, fold }: Needle): Needle => ({
  text: [...text.slice(0, 2 * SHORT)].slice(0, SHORT).join(''),
  fold,
})

/** The chain without choices: `[Ee]rror` becomes two chains, `[Ee][Rr]` one folded text, and what exceeds `limit` a gap. */
function spellChoices(chain: Chain, limit: number): readonly Chain[] {
  let spelled: Link[][] = [[]]
  const { links } = foldChoices(chain)
  const worthwhile = isDecidable(chain) || !links.some((link) => link.kind === 'text')
  links.forEach((link, at) => {
    if (link.kind !== 'choice') {
      for (const one of spelled) appendLink(one, link)
    } else if (spelled.length * link.codes.length > limit || !(worthwhile || isBesideText(links, at))) {
      for (const one of spelled) appendLink(one, gap(1))
    } else {
      spelled = link.codes.flatMap((code) => spelled.map((one) => withCode(one, code)))
    }
  })
  return spelled.map((one) => ({ links: one, exact: chain.exact }))
}

function withCode(links: readonly Link[], code: number): Link[] {
  const longer = [...links]
  appendLink(longer, textLink(String.fromCodePoint(code), false))
  return longer
}

/** Whether the chain is exact once its choices are spelled out. */
const isDecidable = ({ exact, links }: Chain): boolean =>
  exact && links.every((link) => link.kind !== 'gap' || link.optional || decidesByBytes(link))

/** A choice without a string beside it makes short needles: it is spelled out only if it lengthens a needle or decides the plan. */
function isBesideText(links: readonly Link[], at: number): boolean {
  const beside = (step: number): boolean => {
    let other = at + step
    while (links[other]?.kind === 'choice') other += step
    return links[other]?.kind === 'text'
  }
  return beside(-1) || beside(1)
}

/** Makes runs such as `[Ee][Rr][Rr]` or `[Ee](?i:rror)` folded texts, where no letter in the run has a fixed case. */
function foldChoices(chain: Chain): Chain {
  const links: Link[] = []
  for (let start = 0; start < chain.links.length; ) {
    let end = start
    while (end < chain.links.length && chain.links[end]!.kind !== 'gap') end++
    const run = chain.links.slice(start, end)
    const folds = run.every(canFold) && run.some((link) => link.kind === 'choice')
    for (const link of run) appendLink(links, folds ? folded(link) : link)
    const next = chain.links[end]
    if (next) appendLink(links, next)
    start = end + 1
  }
  return { ...chain, links }
}

const canFold = (link: Link): boolean =>
  link.kind === 'text' ? link.fold !== false : link.kind === 'choice' && isCasePair(link.codes)

const isCasePair = ([upper = 0, lower = 0, ...others]: readonly number[]): boolean =>
  others.length === 0 && upper >= 0x41 && upper <= 0x5a && lower === upper + 32

const folded = (link: Link): Link =>
  link.kind === 'choice' ? { kind: 'text', text: String.fromCharCode(link.codes[1]!), fold: true } : link

/** Gaps before the first and after the last string need not be searched for; the rest becomes needles and gaps. */
function toAlternative({ links, exact: known }: Chain): Alternative {
  const needles: Needle[] = []
  const gaps: number[] = []
  let exact = known
  let between: Gap | undefined
  for (const link of links) {
    if (link.kind === 'gap') {
      between = link
    } else if (link.kind === 'text') {
      exact &&= needles.length === 0 ? isOptional(between) : decidesByBytes(between)
      gaps.push(needles.length === 0 ? 0 : (between?.min ?? 0))
      needles.push({ text: link.text, fold: link.fold === true })
      between = undefined
    }
  }
  return { needles, gaps, exact: exact && isOptional(between) }
}

const isOptional = (between: Gap | undefined): boolean => between === undefined || between.optional

/**
 * `.*` and `.+` between two needles hold wherever the second one is found, at least 0 or 1 bytes after the first: needles
 * are whole characters, so that what lies between them is too, with a U+FFFD for bytes that are not UTF-8. A longer minimum is
 * not decided by counting bytes, because two bytes may be one character. Needles without a gap must touch, which a plan
 * cannot express.
 */
const decidesByBytes = (between: Gap | undefined): boolean => between?.any === true && between.min <= 1

/** Leaves out what another alternative decides in any case: `timeout|connection timeout` is `timeout`. */
function withoutRedundant(alternatives: readonly Alternative[]): readonly Alternative[] {
  const sorted = [...alternatives].sort((a, b) => Number(b.exact) - Number(a.exact) || totalLength(a) - totalLength(b))
  const kept: Alternative[] = []
  for (const alternative of sorted) {
    if (!kept.some((other) => covers(other, alternative))) kept.push(alternative)
  }
  return alternatives.filter((alternative) => kept.includes(alternative))
}

const totalLength = ({ needles }: Alternative): number => needles.reduce((sum, { text }) => sum + text.length, 0)

/** Whether `one` is found and decides wherever `other` is found. */
function covers(one: Alternative, other: Alternative): boolean {
  if (isSame(one, other)) return true
  const [needle, ...more] = one.needles
  return (
    one.exact &&
    more.length === 0 &&
    other.needles.some(({ text, fold }) => fold === needle!.fold && text.includes(needle!.text))
  )
}

const isSame = (one: Alternative, other: Alternative): boolean =>
  one.needles.length === other.needles.length &&
  one.needles.every((needle, i) => {
    const same = other.needles[i]!
    return needle.text === same.text && needle.fold === same.fold && one.gaps[i] === other.gaps[i]
  })
