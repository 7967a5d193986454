import fc from 'fast-check'

/**
 * Property tests run with a fixed seed, so that a run can be repeated. `npm run test:deep` sets other seeds. A failing property
 * prints its seed: `OMEN_TEST_SEED=<seed> npx vitest run <file>` repeats it.
 */
const { OMEN_TEST_SEED } = process.env

fc.configureGlobal({ seed: Number(OMEN_TEST_SEED ?? 20_260_101) })

/**
 * The number of runs of a slow property: `deep` with a seed of its own, as in `npm run test:deep`, and a third of it otherwise,
 * because a fixed seed tries the same cases every time.
 *
 * @example
 * fc.assert(fc.property(fc.string(), isReadable), { numRuns: runs(300) })
 */
export function runs(deep: number): number {
  return OMEN_TEST_SEED === undefined ? Math.ceil(deep / 3) : deep
}
