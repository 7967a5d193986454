/** Text that is HTML already. Only `html` makes it, so nothing unescaped gets into a page. */
export interface Html {
  readonly html: string
}

type Piece = string | number | Html | readonly Html[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * A template of HTML: whatever is put into it is escaped, except HTML.
 *
 * @example
 * html`<p>${'a < b'}</p>`.html // <p>a &lt; b</p>
 */
export function html(texts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return { html: texts.map((text, index) => (index === 0 ? text : render(pieces[index - 1]!) + text)).join('') }
}

/** Text of a description: what stands between backquotes is code. */
export function prose(text: string): Html {
  const parts = text.split('`')
  return {
    html: parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`).html).join(''),
  }
}

function render(piece: Piece): string {
  if (typeof piece === 'object') return 'html' in piece ? piece.html : piece.map((part) => part.html).join('')
  return String(piece).replace(/[&<>"']/g, (character) => ESCAPES[character]!)
}
