const LONGEST = 60

/** A text in quotation marks, short and without control characters, fit for a message. */
export function quote(text: string): string {
  return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
}
