import type { MarkedToken, Token, Tokens } from 'marked'
import type { Paint, Style } from './paint.js'
import { sanitize } from './sanitize.js'
import { visibleWidth } from './width.js'
import { splitWords, type Word } from './wrap.js'

/** Text with the same styles. */
interface Run {
  /** A hard line break. */
  readonly isBreak?: true
  readonly text: string
  readonly styles: readonly Style[]
  /** Never broken across lines: a command or an address that a user may copy. */
  readonly isWhole: boolean
}

/** The named entities that occur in prose. */
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
 * Converts the tokens of a paragraph to styled words, one list for every line between hard breaks.
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
      // Text without a space before it belongs to the previous word, such as a comma after a command.
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

/** Without colours the backticks are kept, because they show where a command begins and ends. */
function codeRun(code: string, styles: readonly Style[], colours: boolean): Run {
  const text = sanitize(code.replaceAll('\n', ' '))
  return { text: colours ? text : `\`${text}\``, styles: [...styles, 'code'], isWhole: true }
}

/** `text (address)`, or only the address if the text is the same. */
function* readLink(token: Tokens.Link | Tokens.Image, styles: readonly Style[], colours: boolean): Generator<Run> {
  const address = sanitize(token.href)
  const label = sanitize(token.text)
  const addressRun: Run = { text: address, styles: [...styles, 'underline'], isWhole: true }
  if (label === address || `mailto:${label}` === address || label === '') {
    yield label === '' ? addressRun : { ...addressRun, text: label }
    return
  }
  yield* readRuns(token.tokens, styles, colours)
  if (address === '' || address.startsWith('#')) return
  yield plainRun(' (', styles)
  yield addressRun
  yield plainRun(')', styles)
}

/** A tag such as `<topic>` is a placeholder and is shown; a comment is not, and `<br>` is a line break. */
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
