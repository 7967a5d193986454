/** What half a surrogate pair reads as: no UTF-8 text has one. */
const REPLACEMENT = 0xfffd

/** The code point at `at`. A lone surrogate reads as U+FFFD, which is what it becomes in UTF-8. */
export function readCode(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  if ((unit & 0xf800) !== 0xd800) return unit
  const code = text.codePointAt(at)!
  return code > 0xffff ? code : REPLACEMENT
}

/** Whether the character counts as part of a word: ASCII only, as in Go. */
export function isWordCode(code: number): boolean {
  const lower = code | 32
  return code < 128 && ((lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f)
}
