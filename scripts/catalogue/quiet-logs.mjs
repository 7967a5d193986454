const SEED = 3

/** A log of this size contains every message of the generator. */
const SAMPLE = 1_000_000

/**
 * Five minutes with lines of all programs: rare messages must not add up to a count in a window. The other logs are there for
 * their formats.
 */
const LONG = { family: 'rfc3339', size: 30_000_000 }

/**
 * The ordinary logs of the benchmark, generated when they are read: one of each format, on which no rule may fire.
 *
 * @example
 * quietLogs({ generateLog, FAMILIES }) // [{ name: 'bench: kafka', chunks }, …]
 */
export function quietLogs({ generateLog, FAMILIES }) {
  return Object.entries(FAMILIES).map(([family, format]) => {
    const size = family === LONG.family ? LONG.size : SAMPLE
    return {
      name: `bench: ${family}`,
      chunks: { [Symbol.iterator]: () => generateLog({ seed: SEED, size, format }) },
    }
  })
}
