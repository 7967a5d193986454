const LONGEST = 60

/** What could move a terminal's cursor, and JSON leaves as it is. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** A text in quotation marks, short and without control characters, fit for a message. */
export function quote(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
  return JSON.stringify(short).replace(CONTROL, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
