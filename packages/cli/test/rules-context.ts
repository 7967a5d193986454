import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import type { Screen } from '../src/console/screen.js'
import { type RuleFile, readRuleFiles } from '../src/rules/loading/rule-files.js'
import type { RulesContext } from '../src/rules/rules-verb.js'

/** The rules of this repository. */
export const RULES_FOLDER = fileURLToPath(new URL('../../../rules', import.meta.url))

/** The first twelve of them: enough to test the verbs, however large the catalogue grows. */
export function firstRules(): RuleFile[] {
  const numbers = Array.from({ length: 12 }, (_, index) => 10_001 + index)
  return numbers.flatMap((number) => readRuleFiles(join(RULES_FOLDER, `cre-2026-${number}`)))
}

/** A screen that stores its output. */
export function keepingScreen(options: Partial<Pick<Screen, 'isTerminal' | 'colours' | 'columns'>> = {}) {
  let text = ''
  const screen = {
    isTerminal: false,
    colours: false,
    columns: 80,
    rows: 24,
    ...options,
    write: (more: string) => {
      text += more
    },
  }
  return {
    screen,
    /** The output since the last call. */
    take: () => {
      const taken = text
      text = ''
      return taken
    },
  }
}

/** A folder for one test file, and the verbs about rules with the first rules of this repository installed. */
export function useRules() {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'omen-rules-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const path = (name: string) => join(folder, name)
  return {
    path,
    write(name: string, content: string | Uint8Array): string {
      mkdirSync(dirname(path(name)), { recursive: true })
      writeFileSync(path(name), content)
      return path(name)
    },
    remove: (name: string) => rmSync(path(name), { recursive: true, force: true }),
    /** Runs a verb, and returns its exit code and output. */
    async run(
      verb: (context: RulesContext) => Promise<number>,
      { documents, ...options }: { documents?: string } & Parameters<typeof keepingScreen>[0] = {},
    ) {
      const out = keepingScreen(options)
      const err = keepingScreen(options)
      const code = await verb({
        out: out.screen,
        err: err.screen,
        documents: () => (documents === undefined ? firstRules() : readRuleFiles(documents)),
        cacheFolder: path('cache'),
        now: () => new Date('2026-11-15T00:00:00Z'),
      })
      return { code, out: out.take(), err: err.take() }
    },
  }
}
