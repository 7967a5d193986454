import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { AUDIT_ACTIONS } from '../src/audit/audit.js'
import { createProgram } from '../src/operator/program.js'

const page = readFileSync(new URL('../../../docs/releases.md', import.meta.url), 'utf8')
const program = createProgram({ run: async () => {}, out: () => {}, error: () => {}, exampleDate: '2026-12-31' })

/** The command at the start of a command line, and the arguments after it. */
function find(args: readonly string[], command: Command = program): { command: Command; rest: readonly string[] } {
  const child = command.commands.find((candidate) => candidate.name() === args[0])
  return child ? find(args.slice(1), child) : { command, rest: args }
}

test('docs/releases.md shows only commands and flags that exist', () => {
  const lines = [...page.matchAll(/(?:^|\$ |`)omen-server ([a-z][^`\n]*)/gm)].map(([, line]) => line!)
  expect(lines.length).toBeGreaterThan(5)
  for (const line of lines) {
    const { command, rest } = find(line.split(' '))
    expect({ line, leads: command.name() }).not.toEqual({ line, leads: 'omen-server' })
    const flags = rest.flatMap((word) => word.match(/^--[a-z-]+/) ?? [])
    const known = [...command.options, ...program.options].map(({ long }) => long)
    expect({ line, unknown: flags.filter((flag) => !known.includes(flag)) }).toEqual({ line, unknown: [] })
  }
})

test('docs/releases.md names every audit action of releases', () => {
  const about = AUDIT_ACTIONS.filter((action) => /^(rules|tool|release_key|token)\./.test(action))
  expect(about.filter((action) => !page.includes(`\`${action}\``))).toEqual([])
})
