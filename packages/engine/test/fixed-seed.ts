import fc from 'fast-check'

/**
 * Property tests run with a fixed seed, so that a run can be repeated. `npm run test:deep` sets other seeds. A failing property
 * prints its seed: `OMEN_TEST_SEED=<seed> npx vitest run <file>` repeats it.
 */
fc.configureGlobal({ seed: Number(process.env.OMEN_TEST_SEED ?? 20_260_101) })
