const SEED = 3

/** Every message of the generator occurs in so much of a log. */
const SAMPLE = 1_000_000

/**
 * Five minutes in which the lines of all programs pass by: what is rare must not add up to a count in a window. The other logs
 * are there for their formats.
 */
const LONG = { family: 'rfc3339', size: 30_000_000 }

/**
 * The ordinary logs of the benchmark, made when they are read: one of each format, on which no rule may fire.
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
