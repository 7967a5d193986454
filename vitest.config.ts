import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A limit for what hangs, not for what is slow: no test may depend on the speed of the machine. */
const LIMITS = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 170_000 } } }

/** Loading the modules anew takes longer than most of these tests: many files run in one process. */
const TOGETHER = ['packages/{engine,cli,web}/src/**/*.test.ts']

/** What counts in a module of its tests, looks at how modules are loaded, or makes much garbage, slow to collect among others. */
const RATHER_ALONE = [
  'packages/engine/src/scan/kernel/kernel.test.ts',
  'packages/engine/src/scan/filter/filter.test.ts',
  'packages/engine/src/scan/reading/reader-properties.test.ts',
  'packages/engine/src/terms/jq/judge.test.ts',
  'packages/engine/src/terms/regex/agreement.test.ts',
  'packages/cli/src/follow/**/*.test.ts',
  'packages/cli/src/rules/lint.test.ts',
  'packages/cli/src/rules/test-rules.test.ts',
  'packages/cli/src/sources/decompress/decompress.test.ts',
  'packages/cli/src/updates/download.test.ts',
]

const ALONE = [
  'packages/*/test/**/*.test.ts',
  'packages/server/src/**/*.test.ts',
  'bench/**/*.test.ts',
  ...RATHER_ALONE,
]

/** Tests of whole programs take long and wait much: they begin first, so that nothing long is left for the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      project.name === 'together' ? 2 : /\/packages\/[^/]+\/test\//.test(moduleId) ? 0 : 1
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    globalSetup: ['packages/server/test/prepared/setup.ts'],
    // Vitest would leave one processor idle, and on two of them run one file after the other; many tests wait for programs.
    maxWorkers: Math.max(2, availableParallelism()) + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'alone', include: ALONE, ...LIMITS } },
      {
        test: {
          name: 'together',
          include: TOGETHER,
          exclude: RATHER_ALONE,
          isolate: false,
          setupFiles: ['packages/engine/test/leave-no-trace.ts'],
          ...LIMITS,
        },
      },
    ],
  },
})
