import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A limit for what hangs, not for what is slow: no test may depend on the speed of the machine. */
const LIMITS = { testTimeout: 180_000, hookTimeout: 180_000 }

const PARTS = ['packages/*/src/**/*.test.ts', 'bench/**/*.test.ts']
/** They look at how modules are loaded, or at what a whole process takes. */
const NEED_A_PROCESS = ['packages/engine/src/scan/kernel/kernel.test.ts']
const PROGRAMS = ['packages/*/test/**/*.test.ts']

/** Tests of whole programs take long and wait much: they begin first, so that nothing long is left for the end. */
class ProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isProgram = ({ project }: TestSpecification) => project.name === 'programs'
    return [...sorted.filter(isProgram), ...sorted.filter((file) => !isProgram(file))]
  }
}

export default defineConfig({
  test: {
    globalSetup: ['packages/server/test/prepared/setup.ts'],
    // Vitest would leave one processor idle, and on two of them run one file after the other; many tests wait for programs.
    maxWorkers: Math.max(2, availableParallelism()) + 1,
    sequence: { sequencer: ProgramsFirst },
    projects: [
      { test: { name: 'programs', include: [...PROGRAMS, ...NEED_A_PROCESS], ...LIMITS } },
      // Files of one process share its modules: loading them anew for each file takes longer than most of the tests.
      { test: { name: 'parts', include: PARTS, exclude: NEED_A_PROCESS, isolate: false, ...LIMITS } },
    ],
  },
})
