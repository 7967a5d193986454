import { expect, it } from 'vitest'
import { openTerminal, recordTerminal } from './terminal.js'

it('a program can be interrupted from the keyboard', async () => {
  const terminal = openTerminal(['sh', '-c', 'tmux wait-for -S started; exec sleep 1000'])
  try {
    await terminal.reached('started')
    terminal.type('C-c')
    expect(await terminal.ended()).toBe(130)
    expect(terminal.lines()).toEqual(['^C'])
  } finally {
    terminal.close()
  }
})

it('a program sees the given size and variables', () => {
  const command = ['sh', '-c', 'stty size; echo "$TERM $NO_COLOR $TZ"; exit 3']
  expect(recordTerminal(command, { columns: 70, rows: 20, env: { TERM: 'dumb', NO_COLOR: "it's" } })).toEqual({
    raw: "20 70\r\ndumb it's UTC\r\n",
    status: 3,
  })
})

it('tests can read colours and lines that have scrolled off the screen', async () => {
  const terminal = openTerminal(['sh', '-c', "seq 1 40; printf '\\033[31mred\\033[0m\\n'"], { columns: 40, rows: 10 })
  try {
    expect(await terminal.ended()).toBe(0)
    expect(terminal.lines()).toEqual(['33', '34', '35', '36', '37', '38', '39', '40', 'red'])
    expect(terminal.colouredLines().at(-1)).toContain('\u001b[31mred')
    expect(terminal.allLines()).toHaveLength(41)
  } finally {
    terminal.close()
  }
})
