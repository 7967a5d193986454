/** What YAML reads as this very text without quotes: it begins with a letter or a slash and has nothing special in it. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z/](?:(?:[\w ./*@+-]|:(?=\S))*[\w./*+-])?$/i

/**
 * Writes a text so that YAML reads exactly this text. Quoted as in JSON, which YAML understands.
 *
 * @example
 * quoteScalar('cre.log.kafka')   // cre.log.kafka
 * quoteScalar('*')               // "*"
 */
export function quoteScalar(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text)
}
