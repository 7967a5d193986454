import { rangesHave } from '../parse/charset.js'
import {
  BEFORE_FINAL_NEWLINE,
  LINE_END,
  LINE_START,
  LINE_START_NOT_END,
  NOT_BEFORE_NEWLINE,
  type Program,
  SEARCH_START,
  TEXT_END,
  TEXT_START,
  WORD_EDGE,
  WORD_INSIDE,
} from './program.js'

/** A lone surrogate has no form in UTF-8 and is read as this character. */
const REPLACEMENT = 0xfffd

/** The code point at `at`. A lone surrogate is read as U+FFFD, which is what it becomes in UTF-8. */
export function readCode(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  if ((unit & 0xf800) !== 0xd800) return unit
  const code = text.codePointAt(at)!
  return code > 0xffff ? code : REPLACEMENT
}

/** How many bytes a part of a text has in UTF-8. */
export function utf8Length(text: string, from: number, to: number): number {
  let bytes = 0
  for (let at = from; at < to; ) {
    const code = readCode(text, at)
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    at += code > 0xffff ? 2 : 1
  }
  return bytes
}

/** The code point that ends at `at`, which is greater than 0. */
function readCodeBefore(text: string, at: number): number {
  const isPair =
    at > 1 && (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 2) & 0xfc00) === 0xd800
  return readCode(text, isPair ? at - 2 : at - 1)
}

function isWordCode(words: readonly number[], code: number): boolean {
  if (code >= 128) return rangesHave(words, code)
  const lower = code | 32
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f
}

/** The places (one bit each) that hold at `at`, which is never within a surrogate pair, in a search that began at `start`. */
export function placesAt({ places, words }: Program, text: string, at: number, start: number): number {
  if (places === 0) return 0
  const before = at > 0 ? readCodeBefore(text, at) : -1
  const after = at < text.length ? readCode(text, at) : -1
  let holds = isWordCode(words, before) === isWordCode(words, after) ? WORD_INSIDE : WORD_EDGE
  if (at === start) holds |= SEARCH_START
  if (before < 0) holds |= TEXT_START | LINE_START | LINE_START_NOT_END
  else if (before === 10) holds |= after < 0 ? LINE_START : LINE_START | LINE_START_NOT_END
  if (after < 0) holds |= TEXT_END | LINE_END | BEFORE_FINAL_NEWLINE
  else if (after === 10) holds |= at === text.length - 1 ? LINE_END | BEFORE_FINAL_NEWLINE : LINE_END
  return after === 10 ? holds : holds | NOT_BEFORE_NEWLINE
}
