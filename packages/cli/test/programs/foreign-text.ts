// Prints strings of many scripts with their computed width and their width on the terminal, and strings with escape sequences.

import { openOutput } from '../../src/console/output.js'
import { openScreen } from '../../src/console/screen.js'
import { sanitize } from '../../src/console/text/sanitize.js'
import { visibleWidth } from '../../src/console/text/width.js'
import { cursorColumn } from './pause.js'

const screen = openScreen(openOutput(1), process.env)

for (const text of [
  'plain',
  'größer',
  'cafe\u0301',
  '日本語',
  'アプリ',
  'ｱﾌﾟﾘ',
  '한국어',
  'Ａ１',
  '🔥',
  '…━⠋✓',
  '𠮷',
  'สวัสดี',
  'שלום',
]) {
  screen.write(text)
  const shown = cursorColumn()
  screen.write(` measured ${visibleWidth(text)} shown ${shown}\n`)
}
for (const text of [
  '\u001b]0;owned\u0007title',
  'up\u001b[5A\u001b[2J',
  'back\b\b\b\bforth\r',
  '\u009b2J\u001bc',
  'two\nlines',
]) {
  screen.write(`${sanitize(text)}\n`)
}
