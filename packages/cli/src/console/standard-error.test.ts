import { expect, it } from 'vitest'
import type { Screen } from './screen.js'
import { createWarnings } from './standard-error.js'

function collect(colours = false) {
  const written: string[] = []
  const screen: Screen = { isTerminal: false, colours, columns: 80, write: (text) => written.push(text) }
  return { screen, text: () => written.join('') }
}

it('a warning is printed once', () => {
  const { screen, text } = collect()
  const warn = createWarnings(screen, { quiet: false })
  for (const message of ['no timestamp', 'an over-long line', 'no timestamp']) warn(message)
  expect(text()).toBe('Warning: no timestamp\nWarning: an over-long line\n')
})

it('no warning is printed with quiet', () => {
  const { screen, text } = collect()
  createWarnings(screen, { quiet: true })('no timestamp')
  expect(text()).toBe('')
})

it('a warning that is always printed is printed with quiet', () => {
  const { screen, text } = collect()
  createWarnings(screen, { quiet: true })('CRE-2026-0001: the jq filter is switched off', { always: true })
  expect(text()).toBe('Warning: CRE-2026-0001: the jq filter is switched off\n')
})

it('a message cannot control the terminal', () => {
  const { screen, text } = collect(true)
  createWarnings(screen, { quiet: false })('a\u001b[2Jb\nc')
  expect(text()).toBe('\u001b[33mWarning:\u001b[39m a␛[2Jb␊c\n')
})

it('the number of warnings is limited', () => {
  const { screen, text } = collect()
  const warn = createWarnings(screen, { quiet: false })
  for (let number = 0; number < 5000; number++) warn(`line ${number}`)
  const lines = text().trimEnd().split('\n')
  expect(lines).toHaveLength(101)
  expect(lines.at(-1)).toBe('Warning: further warnings are not shown')
})
