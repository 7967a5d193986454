import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderCompletion } from './completion/completion.js'
import { renderHelp } from './help.js'
import { parseArgv } from './parse-argv.js'
import type { Program } from './program.js'

/** Another program without verbs, defined only by its tables. */
const PLUGIN: Program = {
  name: 'kubectl-omen',
  summary: 'kubectl-omen finds known problems in the logs of pods.',
  usage: ['kubectl omen [flags] <target>'],
  flags: [
    { name: 'namespace', short: 'n', argument: 'name', verbs: 'all', group: 'read', about: 'The namespace to look in' },
    { name: 'all-namespaces', short: 'A', verbs: 'all', group: 'read', about: 'Look in every namespace' },
    { name: 'container', short: 'c', argument: 'name', verbs: 'all', group: 'read', about: 'The container to read' },
    {
      name: 'tail',
      argument: 'n',
      range: [1, 1_000_000],
      verbs: 'all',
      group: 'read',
      about: 'Read only the last lines',
    },
    { name: 'help', short: 'h', verbs: 'all', group: 'other', about: 'Show help' },
  ],
  verbs: [
    {
      name: 'scan',
      words: [],
      summary: 'Scan a pod',
      about: ['Reads the logs of a target.'],
      operands: [{ name: 'target' }],
      examples: [{ does: 'A deployment', line: 'kubectl omen deployment/web' }],
    },
  ],
  groups: [],
  tables: [],
}

const parse = (...argv: readonly string[]) => parseArgv(argv, PLUGIN, () => false)

describe('another program', () => {
  it('has its own flags and operands', async () => {
    const parsed = await parse('-n', 'shop', 'deployment/web', '-Ac', 'app')
    expect(parsed).toMatchObject({ kind: 'verb', verb: { name: 'scan' }, operands: ['deployment/web'] })
    expect(parsed.kind === 'verb' && Object.fromEntries(parsed.flags)).toEqual({
      namespace: ['shop'],
      'all-namespaces': [],
      container: ['app'],
    })
  })

  it('appears with its own name in messages', async () => {
    await expect(parse()).rejects.toMatchObject({
      message: 'kubectl-omen needs a target: kubectl-omen <target>',
      hint: 'Try: kubectl-omen --help',
    })
    await expect(parse('web', '--namespce=x')).rejects.toThrow('Did you mean -n (--namespace)?')
    await expect(parse('web', '-a')).rejects.toThrow('unknown flag -a. Did you mean -A (--all-namespaces)?')
    await expect(parse('web', 'db')).rejects.toThrow('kubectl-omen takes only <target>: remove "db"')
    await expect(parse('web', '--tail', '0')).rejects.toThrow('--tail takes a whole number from 1 to 1000000, not "0"')
  })

  it('has a help page', async () => {
    expect(await parse('web', '-h')).toEqual({ kind: 'help', topic: [] })
    expect(renderHelp([], 80, PLUGIN)).toContain('  -A, --all-namespaces    Look in every namespace\n')
  })

  it.each(['bash', 'zsh', 'fish'] as const)('has a valid completion script for %s', (shell) => {
    const folder = mkdtempSync(join(tmpdir(), 'omen-completion-'))
    try {
      writeFileSync(join(folder, 'script'), renderCompletion(shell, PLUGIN))
      const { status, stderr } = spawnSync(shell, ['-n', join(folder, 'script')], { encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
