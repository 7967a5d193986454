import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { createElement, Fragment, memo, type ReactNode } from 'react'
import { isWebUrl } from '../../api/request.js'

/**
 * Longer text is shown unformatted: parsing time can grow with the square of the length, and a description is at most a page.
 */
const LONGEST = 16 * 1024

/** Markup that is nested deeper is shown as source text: browsers limit the depth of a document. */
const DEEPEST = 12

/**
 * The Markdown of a rule as React elements. HTML in it is shown as source text, and only http(s) links become links.
 *
 * @example
 * <Markdown text="Free some **space**: `df -h`" />
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const tokens = read(text)
  return <div className="prose">{tokens === undefined ? <p className="source">{text}</p> : renderAll(tokens, 0)}</div>
})

/** Undefined for text that is too long or too deeply nested to parse. */
function read(text: string): Token[] | undefined {
  if (text.length > LONGEST) return undefined
  try {
    return new Lexer({ gfm: true }).lex(text)
  } catch {
    return undefined
  }
}

function renderAll(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  return all(Fragment, tokens ?? [], (token) => (depth > DEEPEST ? token.raw : render(token as MarkedToken, depth + 1)))
}

/** Renders each kind of token. Other kinds are shown as source text. */
const RENDERERS: { readonly [K in MarkedToken['type']]?: (token: never, depth: number) => ReactNode } = {
  space: () => null,
  def: () => null,
  br: () => <br />,
  hr: () => <hr />,
  paragraph: (token: Tokens.Paragraph, depth: number) => <p>{renderAll(token.tokens, depth)}</p>,
  // The page has its own headings; those in the text must not be confused with them.
  heading: (token: Tokens.Heading, depth: number) => (
    <p>
      <strong>{renderAll(token.tokens, depth)}</strong>
    </p>
  ),
  text: (token: Tokens.Text, depth: number) =>
    token.tokens === undefined ? unescaped(token.text) : renderAll(token.tokens, depth),
  escape: (token: Tokens.Escape) => token.text,
  strong: (token: Tokens.Strong, depth: number) => <strong>{renderAll(token.tokens, depth)}</strong>,
  em: (token: Tokens.Em, depth: number) => <em>{renderAll(token.tokens, depth)}</em>,
  del: (token: Tokens.Del, depth: number) => <del>{renderAll(token.tokens, depth)}</del>,
  codespan: (token: Tokens.Codespan) => <code>{token.text}</code>,
  code: (token: Tokens.Code) => (
    <pre>
      <code>{token.text}</code>
    </pre>
  ),
  blockquote: (token: Tokens.Blockquote, depth: number) => <blockquote>{renderAll(token.tokens, depth)}</blockquote>,
  list: (token: Tokens.List, depth: number) => renderList(token, depth),
  link: (token: Tokens.Link, depth: number) => renderLink(token, depth),
  table: (token: Tokens.Table, depth: number) => renderTable(token, depth),
}

/** An element with one child per item. Children passed as arguments need no keys: the same text gives the same children. */
function all<T>(around: string | typeof Fragment, items: readonly T[], show: (item: T) => ReactNode): ReactNode {
  return createElement(around, null, ...items.map(show))
}

function render(token: MarkedToken, depth: number): ReactNode {
  const show = RENDERERS[token.type] as ((token: MarkedToken, depth: number) => ReactNode) | undefined
  return show === undefined ? token.raw : show(token, depth)
}

function renderList({ ordered, start, items }: Tokens.List, depth: number): ReactNode {
  const shown = all(Fragment, items, (item) => <li>{renderAll(item.tokens, depth)}</li>)
  return ordered ? <ol start={typeof start === 'number' ? start : 1}>{shown}</ol> : <ul>{shown}</ul>
}

function renderLink({ href, tokens }: Tokens.Link, depth: number): ReactNode {
  if (!isWebUrl(href)) return renderAll(tokens, depth)
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {renderAll(tokens, depth)}
    </a>
  )
}

function renderTable({ header, rows }: Tokens.Table, depth: number): ReactNode {
  const row = (cells: readonly Tokens.TableCell[]) =>
    all('tr', cells, (cell) => <td>{renderAll(cell.tokens, depth)}</td>)
  return (
    <table>
      <thead>{all('tr', header, (cell) => createElement('th', null, renderAll(cell.tokens, depth)))}</thead>
      {all('tbody', rows, row)}
    </table>
  )
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The lexer escapes the characters that have a meaning in HTML. */
function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
