/** Escaped HTML. Only `html` makes it, so no unescaped string gets into a page. */
export interface Html {
  readonly html: string
}

type Value = string | number | Html | readonly Html[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * A template of HTML. Every value in it is escaped, except HTML.
 *
 * @example
 * html`<p>${'a < b'}</p>`.html // <p>a &lt; b</p>
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: strings.map((string, index) => (index === 0 ? string : render(values[index - 1]!) + string)).join('') }
}

/** A description in which text between backquotes is code. */
export function prose(text: string): Html {
  const parts = text.split('`')
  return {
    html: parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`).html).join(''),
  }
}

function render(value: Value): string {
  if (typeof value === 'object') return 'html' in value ? value.html : value.map((part) => part.html).join('')
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character]!)
}
