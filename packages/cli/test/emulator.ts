import { truncate, visibleWidth } from '../src/console/text/width.js'

/**
 * A terminal in memory with the escape sequences of live lines. It accepts single-width characters, keeps every line that scrolls off
 * the screen, and throws for an unknown sequence.
 */
export function createEmulator(columns: number, rows: number) {
  const lines: string[] = ['']
  let row = 0
  let column = 0
  let isWrapping = true
  let isCursorVisible = true
  const isFirstRow = () => row <= Math.max(0, lines.length - rows)
  const feed = () => {
    row++
    column = 0
    if (row === lines.length) lines.push('')
  }
  const put = (character: string) => {
    if (column === columns) {
      if (isWrapping) feed()
      else column--
    }
    const line = lines[row]!.padEnd(column)
    lines[row] = line.slice(0, column) + character + line.slice(column + 1)
    column++
  }
  const actions: Record<string, (count: number) => void> = {
    A: (count) => {
      for (let step = 0; step < count && !isFirstRow(); step++) row--
    },
    K: eraseRestOfLine,
    J: () => {
      eraseRestOfLine()
      lines.fill('', row + 1)
    },
    m: () => {},
  }
  const modes: Record<string, (isOn: boolean) => void> = {
    '7': (isOn) => {
      isWrapping = isOn
    },
    '25': (isOn) => {
      isCursorVisible = isOn
    },
  }
  return {
    write(text: string): void {
      for (const part of text.split(new RegExp(`(${String.fromCharCode(27)}\\[\\??[0-9;]*[A-Za-z])`))) {
        const [, isMode, number, letter] = /^.\[(\?)?([0-9;]*)([A-Za-z])$/.exec(part) ?? []
        if (letter === undefined) for (const character of part) act(character)
        else if (isMode) modes[number!]!(letter === 'h')
        else actions[letter]!(Number(number) || 1)
      }
    },
    /** All lines that were not erased, without trailing empty lines. */
    lines(): string[] {
      const trimmed = lines.map((line) => line.trimEnd())
      while (trimmed.at(-1) === '') trimmed.pop()
      return trimmed
    },
    state: () => ({ isCursorVisible, isWrapping, column }),
  }

  /** After the last column the cursor stays on it, and erasing removes that character. */
  function eraseRestOfLine(): void {
    lines[row] = lines[row]!.slice(0, Math.min(column, columns - 1))
  }

  function act(character: string): void {
    if (character === '\n') feed()
    else if (character === '\r') column = 0
    else if (visibleWidth(character) === 1 && truncate(character, 1) === character) put(character)
    else throw new Error(`The emulator does not know ${JSON.stringify(character)}`)
  }
}
