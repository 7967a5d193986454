import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, ForksPoolWorker, type PoolRunnerInitializer, type TestSpecification } from 'vitest/node'
import { findNode24 } from './scripts/node-24.mjs'

/** A limit for what hangs, not for what is slow: no test may depend on the speed of the machine. */
const LIMITS = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 170_000 } } }

/** Property tests are the same in every run; `npm run test:deep` runs them with other seeds. */
const FIXED_SEED = 'packages/engine/test/fixed-seed.ts'

/** Loading the modules again takes longer than most of these tests: many files run in one process. */
const TOGETHER = ['packages/{engine,cli,web}/src/**/*.test.ts']

/** The same for the server: one embedded database serves all files of a process. */
const SERVER = ['packages/server/src/**/*.test.ts']

/** Files that count calls in a module, look at how modules are loaded, or allocate so much that they slow down the others. */
const RATHER_ALONE = [
  'packages/engine/src/scan/kernel/kernel.test.ts',
  'packages/engine/src/scan/filter/filter.test.ts',
  'packages/engine/src/scan/reading/reader-properties.test.ts',
  'packages/engine/src/terms/jq/oracle.test.ts',
  'packages/engine/src/terms/regex/agreement.test.ts',
  'packages/cli/src/follow/**/*.test.ts',
  'packages/cli/src/rules/linting/lint.test.ts',
  'packages/cli/src/rules/testing/test-rules.test.ts',
  'packages/cli/src/sources/decompress/decompress.test.ts',
  'packages/cli/src/updates/download.test.ts',
]

const ALONE = ['packages/*/test/**/*.test.ts', 'bench/**/*.test.ts', ...RATHER_ALONE]

/**
 * Files that run a second time, on Node.js 24: those that depend on what Node.js provides. The others test Omen's own logic, and
 * would only make CI slower. The single-file executable is tested once, because it contains Node.js 24 in any case.
 */
const ON_NODE_24 = [
  'packages/engine/test/conformance.test.ts',
  'packages/engine/src/scan/kernel/kernel.test.ts', // WebAssembly
  'packages/cli/src/packaged/*.test.ts', // V8's code cache
  'packages/cli/src/sources/{open-data,standard-input,memory,decompress/decompress}.test.ts', // streams, zlib
  'packages/cli/src/follow/kill.test.ts',
  'packages/cli/test/start-up.test.ts', // what a start loads, the code cache
  'packages/cli/test/{worker,threads}.test.ts', // worker threads
  'packages/cli/test/{omen,output,closed-pipe,interruption,follow}.test.ts', // the whole tool: streams, signals, files that grow
  'packages/cli/test/login.test.ts', // HTTP
]

const node24 = process.version.startsWith('v24.') ? undefined : findNode24()

/** Vitest forks its workers with `process.execPath`, and has no option for another Node.js. */
class Node24Worker extends ForksPoolWorker {
  override start(): Promise<void> {
    const { execPath } = process
    process.execPath = node24 ?? execPath
    try {
      return super.start()
    } finally {
      process.execPath = execPath
    }
  }
}

const NODE_24_POOL: PoolRunnerInitializer = {
  name: 'node-24',
  createPoolWorker: (options) => new Node24Worker(options),
}

/** Tests of whole programs take long and mostly wait: they start first, so that no long file is left for the end. */
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
    // Vitest's default leaves one processor idle, and many tests wait for programs: one worker more than processors.
    maxWorkers: Math.max(2, availableParallelism()) + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'alone', include: ALONE, setupFiles: [FIXED_SEED], ...LIMITS } },
      {
        test: {
          name: 'together',
          include: TOGETHER,
          exclude: RATHER_ALONE,
          isolate: false,
          setupFiles: [FIXED_SEED, 'packages/engine/test/leave-no-trace.ts'],
          ...LIMITS,
        },
      },
      { test: { name: 'server', include: SERVER, isolate: false, setupFiles: [FIXED_SEED], ...LIMITS } },
      ...(node24
        ? [
            {
              test: {
                name: 'node 24',
                include: ON_NODE_24,
                pool: NODE_24_POOL,
                setupFiles: [FIXED_SEED, 'packages/cli/test/on-node-24.ts'],
                ...LIMITS,
              },
            },
          ]
        : []),
    ],
  },
})
