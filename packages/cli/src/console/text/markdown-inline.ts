import type { MarkedToken, Token, Tokens } from 'marked'
import type { Paint, Style } from './paint.js'
import { sanitize } from './sanitize.js'
import { visibleWidth } from './width.js'
import { splitWords, type Word } from './wrap.js'

/** A stretch of text in the same styles. */
interface Run {
  /** A line break that the author asked for. */
  readonly isBreak?: true
  readonly text: string
  readonly styles: readonly Style[]
  /** Never broken: a command or an address that somebody will copy. */
  readonly isWhole: boolean
}

/** The named characters that people write in prose. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  rarr: '→',
  larr: '←',
  bull: '•',
  middot: '·',
}

const LAST_CODE_POINT = 0x10ffff

/**
 * Reads the text of a paragraph as painted words, a list for every line that the author began.
 *
 * @example
 * readWords(paragraph.tokens, { colours: true, paint })
 */
export function readWords(
  tokens: readonly Token[],
  { colours, paint, styles = [] }: { colours: boolean; paint: Paint; styles?: readonly Style[] },
): Word[][] {
  const lines: Word[][] = [[]]
  let isSpaced = false
  for (const { text, styles: own, isWhole, isBreak } of readRuns(tokens, styles, colours)) {
    if (isBreak) {
      lines.push([])
      isSpaced = false
      continue
    }
    const line = lines.at(-1)!
    const words = isWhole ? [{ text, width: visibleWidth(text), spaced: false }] : splitWords(text)
    words.forEach((word, index) => {
      const painted = { ...word, text: own.reduce((inner, style) => paint(style, inner), word.text) }
      const spaced = word.spaced || (index === 0 && isSpaced)
      const before = line.at(-1)
      // What stands directly behind a word belongs to it: the comma after a command.
      if (index === 0 && !spaced && before) line[line.length - 1] = join(before, painted)
      else line.push({ ...painted, spaced })
    })
    isSpaced = words.length === 0 ? isSpaced || text !== '' : !isWhole && /\s$/.test(text)
  }
  return lines
}

function join(before: Word, after: Word): Word {
  return { text: before.text + after.text, width: before.width + after.width, spaced: before.spaced }
}

function* readRuns(tokens: readonly Token[], styles: readonly Style[], colours: boolean): Generator<Run> {
  for (const token of tokens as readonly MarkedToken[]) {
    const inner = (style: Style) => readRuns(('tokens' in token && token.tokens) || [], [...styles, style], colours)
    switch (token.type) {
      case 'strong':
        yield* inner('bold')
        break
      case 'em':
        yield* inner('italic')
        break
      case 'del':
        yield* inner('struck')
        break
      case 'codespan':
        yield codeRun(token.text, styles, colours)
        break
      case 'br':
        yield { isBreak: true, text: '', styles, isWhole: false }
        break
      case 'link':
      case 'image':
        yield* readLink(token, styles, colours)
        break
      case 'html':
        yield* readTag(token.text, styles)
        break
      case 'escape':
        yield plainRun(token.text, styles)
        break
      case 'checkbox':
        yield plainRun(token.checked ? '[x] ' : '[ ] ', styles)
        break
      default:
        if ('tokens' in token && token.tokens) yield* readRuns(token.tokens, styles, colours)
        else yield plainRun(decode('text' in token ? token.text : token.raw), styles)
    }
  }
}

function plainRun(text: string, styles: readonly Style[]): Run {
  return { text: sanitize(text.replaceAll('\n', ' ')), styles, isWhole: false }
}

/** Without colours the marks stay: they tell where a command begins and ends. */
function codeRun(code: string, styles: readonly Style[], colours: boolean): Run {
  const text = sanitize(code.replaceAll('\n', ' '))
  return { text: colours ? text : `\`${text}\``, styles: [...styles, 'code'], isWhole: true }
}

/** `text (address)`, or the address alone where the text says the same. */
function* readLink(token: Tokens.Link | Tokens.Image, styles: readonly Style[], colours: boolean): Generator<Run> {
  const address = sanitize(token.href)
  const says = sanitize(token.text)
  const addressRun: Run = { text: address, styles: [...styles, 'underline'], isWhole: true }
  if (says === address || `mailto:${says}` === address || says === '') {
    yield says === '' ? addressRun : { ...addressRun, text: says }
    return
  }
  yield* readRuns(token.tokens, styles, colours)
  if (address === '' || address.startsWith('#')) return
  yield plainRun(' (', styles)
  yield addressRun
  yield plainRun(')', styles)
}

/** `<topic>` in prose is a placeholder that must be seen; a comment is not, and a break is one. */
function* readTag(tag: string, styles: readonly Style[]): Generator<Run> {
  if (/^<br\s*\/?>$/i.test(tag)) yield { isBreak: true, text: '', styles, isWhole: false }
  else if (!tag.startsWith('<!--')) yield plainRun(tag, styles)
}

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w{1,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > LAST_CODE_POINT ? whole : String.fromCodePoint(code)
  })
}
