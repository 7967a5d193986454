/** A string that YAML reads unchanged without quotes: it begins with a letter or a slash, and has no special characters. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z/](?:(?:[\w ./*@+-]|:(?=\S))*[\w./*+-])?$/i

/**
 * Writes a string as a YAML scalar, quoted as in JSON if necessary.
 *
 * @example
 * quoteScalar('cre.log.kafka')   // cre.log.kafka
 * quoteScalar('*')               // "*"
 */
export function quoteScalar(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text)
}
