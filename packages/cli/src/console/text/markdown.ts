import type { MarkedToken, Token, Tokens } from 'marked'
import { readWords } from './markdown-inline.js'
import { createPaint, type Paint, type Style } from './paint.js'
import { sanitizeLines } from './sanitize.js'
import { pad, visibleWidth } from './width.js'
import { fill, wrap } from './wrap.js'

export interface MarkdownOptions {
  readonly columns: number
  readonly colours: boolean
}

interface Context extends MarkdownOptions {
  readonly paint: Paint
}

/**
 * Longer text is shown without formatting: parsing some texts takes quadratic time (a second for 30,000 underscores), and a
 * description is at most a page.
 */
const LONGEST = 16 * 1024

/** Nested text is at least this wide. */
const NARROWEST = 20

const CODE_INDENT = '    '
const LONGEST_RULE = 40

/** A tab in Markdown is four columns, which determine the nesting. */
const TAB_STOP = 4

/**
 * Renders Markdown for a screen of a given width: paragraphs are wrapped; code is not, so that commands can be copied. Without
 * colours the result is readable plain text. Text that is nested too deeply or too long is shown without formatting.
 *
 * @example
 * await renderMarkdown('Free some **space**:\n\n- `df -h`', { columns: 80, colours: false })
 * // 'Free some space:\n\n- `df -h`'
 */
export async function renderMarkdown(text: string, { columns, colours }: MarkdownOptions): Promise<string> {
  const safe = sanitizeLines(text, TAB_STOP)
  if (safe.length <= LONGEST) {
    const { Lexer } = await import('marked')
    try {
      const tokens = new Lexer({ gfm: true }).lex(safe)
      return renderBlocks(tokens, { columns, colours, paint: createPaint(colours) }).join('\n')
    } catch (error) {
      // The text is nested so deeply that the parser overflows the stack.
      if (!(error instanceof RangeError)) throw error
    }
  }
  return wrap(safe.trim(), columns)
}

/** The lines of blocks, separated by empty lines unless `isTight`. */
function renderBlocks(tokens: readonly Token[], context: Context, isTight = false): string[] {
  const lines: string[] = []
  for (const token of tokens as readonly MarkedToken[]) {
    const block = renderBlock(token, context)
    if (block.length === 0) continue
    if (lines.length > 0 && !isTight) lines.push('')
    lines.push(...block)
  }
  return lines
}

function renderBlock(token: MarkedToken, context: Context): string[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      return renderText(token.tokens, context, ['heading'])
    case 'code':
      return token.text.split('\n').map((line) => (line === '' ? '' : CODE_INDENT + context.paint('code', line)))
    case 'blockquote':
      return renderQuote(token, context)
    case 'list':
      return renderList(token, context)
    case 'table':
      return renderTable(token, context)
    case 'hr':
      return [context.paint('dim', (context.colours ? '─' : '-').repeat(Math.min(LONGEST_RULE, context.columns)))]
    case 'html':
      return renderHtml(token.text, context)
    default:
      return renderText('tokens' in token && token.tokens ? token.tokens : [token], context)
  }
}

function renderText(tokens: readonly Token[], context: Context, styles: readonly Style[] = []): string[] {
  const lines = readWords(tokens, { ...context, styles }).flatMap((words) => fill(words, context.columns))
  return lines.every((line) => line === '') ? [] : lines
}

function renderQuote({ tokens }: Tokens.Blockquote, context: Context): string[] {
  const mark = context.colours ? '│' : '>'
  const lines = renderBlocks(tokens, narrower(context, 2))
  return lines.map((line) => `${context.paint('dim', mark)} ${line}`.trimEnd())
}

function renderList({ items, ordered, start, loose }: Tokens.List, context: Context): string[] {
  const first = Number(start) || 1
  const widest = String(first + items.length - 1).length
  const bullet = context.colours ? '•' : '-'
  const lines: string[] = []
  items.forEach((item, index) => {
    const mark = ordered ? `${first + index}.`.padStart(widest + 1) : bullet
    const indent = ' '.repeat(visibleWidth(mark) + 1)
    const block = renderItem(item, narrower(context, indent.length))
    if (index > 0 && loose) lines.push('')
    lines.push(
      ...block.map((line, row) => (row === 0 ? `${context.paint('dim', mark)} ${line}` : indent + line).trimEnd()),
    )
  })
  return lines
}

/** The checkbox of a task is in the first line of its text. */
function renderItem({ tokens, loose }: Tokens.ListItem, context: Context): string[] {
  const [first, second, ...rest] = tokens
  if (first?.type !== 'checkbox' || second === undefined) {
    const lines = renderBlocks(tokens, context, !loose)
    return lines.length > 0 ? lines : ['']
  }
  const text = renderText([first, ...((second as Tokens.Text).tokens ?? [second])], context)
  return [...text, ...renderBlocks(rest, context, !loose)]
}

/** Comments are left out; other tags are shown, because they may be placeholders. */
function renderHtml(html: string, { columns }: Context): string[] {
  const text = html.replace(/<!--[\s\S]*?(?:-->|$)/g, '').trim()
  return text === '' ? [] : wrap(text, columns).split('\n')
}

function renderTable({ header, rows }: Tokens.Table, context: Context): string[] {
  const read = (cell: Tokens.TableCell, styles: readonly Style[] = []) => {
    const lines = readWords(cell.tokens, { ...context, styles })
    return lines.map((words) => fill(words, Number.POSITIVE_INFINITY).join(' ')).join(' ')
  }
  const table = [header.map((cell) => read(cell, ['bold'])), ...rows.map((row) => row.map((cell) => read(cell)))]
  const widths = header.map((_, column) => Math.max(...table.map((row) => visibleWidth(row[column] ?? ''))))
  return table.map((row) =>
    row
      .map((text, column) => pad(text, widths[column]!, header[column]?.align === 'right' ? 'right' : 'left'))
      .join('  ')
      .trimEnd(),
  )
}

function narrower(context: Context, columns: number): Context {
  return { ...context, columns: Math.max(NARROWEST, context.columns - columns) }
}
