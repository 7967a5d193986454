/** Invisible, and enough to take the meaning from what surrounds it. */
const ZERO_WIDTH = '\u200b'

/**
 * Takes the meaning from Markdown in a text that is not ours: emphasis, code, links, images, tables, headings, and
 * mentions such as `@channel`. Addresses stay readable, but are not linked.
 *
 * @example
 * escapeMarkdown('[see](http://x) *now*')   // '\\[see\\](http:​//x) \\*now\\*'
 */
export function escapeMarkdown(text: string): string {
  return breakReferences(text.replace(/[\\`*_{}[\]~|>#]/g, '\\$&'))
}

/** Addresses and mentions have no escape: an invisible character between their parts makes them plain text. */
export function breakReferences(text: string): string {
  return text
    .replace(/@(?=\S)/g, `@${ZERO_WIDTH}`)
    .replace(/:\/\//g, `:${ZERO_WIDTH}//`)
    .replace(/\bwww\./gi, (start) => `${start.slice(0, -1)}${ZERO_WIDTH}.`)
}
