import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure } from '../failure.js'
import { renderHelp } from './help.js'
import { flagsOf, topicsOf } from './program.js'
import { OMEN } from './verbs.js'

const TOPICS = topicsOf(OMEN).map((topic) => [topic.join(' '), topic] as const)

describe.each(TOPICS)('the help page for "%s"', (_, topic) => {
  it('fits 80 columns, without trailing spaces or double empty lines', () => {
    const page = renderHelp(topic, 80)
    expect(page.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(page).not.toMatch(/[ \t]\n|\n\n\n|\t/)
    expect(page).toMatch(/[^\n]\n$/)
  })

  it('has a usage line and examples', () => {
    const page = renderHelp(topic, 80)
    expect(page).toContain(`Usage: ${['omen', ...topic].join(' ')}`)
    expect(page).toContain('Examples:')
  })

  it('is not wider than the window', () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 300 }), (columns) => {
        const lines = renderHelp(topic, columns).split('\n')
        // Commands are not wrapped, and neither are the labels of rows.
        const breakable = lines.filter((line) => !/^ {2}\S|^Usage|^ {7}\S/.test(line))
        expect(breakable.filter((line) => line.length > columns)).toEqual([])
      }),
    )
  })
})

describe('help', () => {
  it('lists every flag of the verb, with its choices', () => {
    for (const verb of OMEN.verbs.filter(({ words }) => words.length > 0)) {
      const page = renderHelp(verb.words, 80)
      for (const { name, choices } of flagsOf(OMEN, verb)) {
        expect(page).toContain(`--${name}`)
        if (choices) expect(page.replace(/\n\s+/g, ' ')).toContain(choices.join(', '))
      }
    }
  })

  it('lists every main flag on its first page', () => {
    const page = renderHelp([], 80)
    const flags = [
      '-h, --help',
      '-d, --disabled',
      '-g, --generate',
      '-j, --cron',
      '-l, --level <level>',
      '-o, --name <file>',
      '-q, --quiet',
      '-r, --rules <path>',
      '-s, --source <file>',
      '-v, --version',
      '-y, --accept-updates',
    ]
    for (const flag of flags) expect(page).toContain(`  ${flag} `)
    for (const title of ['What to read', 'What to match', 'What to write', 'Other', 'Verbs', 'Exit codes']) {
      expect(page).toContain(`\n${title}:\n`)
    }
  })

  it('aligns the descriptions of flags', () => {
    const columns = [...renderHelp([], 80).matchAll(/^( {2,6}-.*? {2,})[A-Z]/gm)].map(([, before]) => before!.length)
    expect(columns.length).toBeGreaterThan(15)
    expect(new Set(columns).size).toBe(1)
  })

  it('uses 80 columns for an invalid width', () => {
    expect(renderHelp([], Number.NaN)).toBe(renderHelp([], 80))
    expect(renderHelp([], 0)).toBe(renderHelp([], 80))
  })

  it('throws for an unknown topic', () => {
    for (const topic of [['frobnicate'], ['rules', 'frobnicate'], ['scan'], ['explain', 'x']]) {
      expect(() => renderHelp(topic, 80)).toThrow(Failure)
    }
  })
})
