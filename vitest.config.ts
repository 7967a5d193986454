import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['packages/server/test/prepared/setup.ts'],
    // A limit for what hangs, not for what is slow: no test may depend on the speed of the machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Vitest would leave one processor idle, and on two of them run one file after the other; many tests wait for programs.
    maxWorkers: Math.max(2, availableParallelism()),
  },
})
