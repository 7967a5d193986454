import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { createElement, Fragment, memo, type ReactNode } from 'react'
import { isWebAddress } from '../..//api/request.js'

/**
 * Longer text is shown as it is: what it takes to read some texts grows with the square of their length, and a description is
 * a page at most.
 */
const LONGEST = 16 * 1024

/** What is nested deeper is shown as it was typed: nobody means it, and browsers have limits of their own. */
const DEEPEST = 12

/**
 * Markdown of a rule as elements. Nothing in it is ever taken for HTML: tags are shown as they were typed, and of links only those
 * of the web become links.
 *
 * @example
 * <Markdown text="Free some **space**: `df -h`" />
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const tokens = read(text)
  return <div className="prose">{tokens === undefined ? <p className="as-it-is">{text}</p> : renderAll(tokens, 0)}</div>
})

/** Undefined for what is too long or nested too deep to be understood. */
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

/** How each kind of token is shown. What is not here is shown as it was typed. */
const SHOWN: { readonly [K in MarkedToken['type']]?: (token: never, depth: number) => ReactNode } = {
  space: () => null,
  def: () => null,
  br: () => <br />,
  hr: () => <hr />,
  paragraph: (token: Tokens.Paragraph, depth: number) => <p>{renderAll(token.tokens, depth)}</p>,
  // A rule has headings of its own; those inside must not be mistaken for them.
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

/** An element around what becomes of each item. Given one by one, children need no names: the same text gives the same ones. */
function all<T>(around: string | typeof Fragment, items: readonly T[], show: (item: T) => ReactNode): ReactNode {
  return createElement(around, null, ...items.map(show))
}

function render(token: MarkedToken, depth: number): ReactNode {
  const show = SHOWN[token.type] as ((token: MarkedToken, depth: number) => ReactNode) | undefined
  return show === undefined ? token.raw : show(token, depth)
}

function renderList({ ordered, start, items }: Tokens.List, depth: number): ReactNode {
  const shown = all(Fragment, items, (item) => <li>{renderAll(item.tokens, depth)}</li>)
  return ordered ? <ol start={typeof start === 'number' ? start : 1}>{shown}</ol> : <ul>{shown}</ul>
}

function renderLink({ href, tokens }: Tokens.Link, depth: number): ReactNode {
  if (!isWebAddress(href)) return renderAll(tokens, depth)
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

/** Texts of the reader may hold the entities of the few characters that mean something in HTML. */
function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
