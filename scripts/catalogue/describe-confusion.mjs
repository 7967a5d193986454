const LONGEST_ENTRY = 150

/**
 * The confusion as text: one line per mistake, then a summary.
 *
 * @example
 * console.log(describeConfusion({ broken, ...confusion(engine, { rules, folders, overlaps, quiet }) }))
 */
export function describeConfusion({ broken = [], silent, own, undeclared, overlapping, stale, warnings }) {
  const lines = [
    ...broken.flatMap(({ folder, problems }) => [
      `BROKEN ${folder}: left out`,
      ...problems.map((problem) => `   ${problem}`),
    ]),
    ...silent.map((id) => `SILENT ${id} does not fire on its own hit.log`),
    ...undeclared.flatMap((hit) => [`WRONG ${hit.rule} fires on ${placeOf(hit)}`, `   ${excerpt(hit.entry)}`]),
    ...stale.map(({ rule, log, isKnown }) => {
      const why = isKnown ? 'does not occur' : 'names a rule or a log that is not there'
      return `STALE overlaps.yaml: ${rule} on ${log} ${why}`
    }),
    ...warnings.map(({ log, message }) => `WARNING ${log}: ${message}`),
    `${own.length} rules fire on their own hit.log, ${silent.length} do not; ${undeclared.length} wrong hits, ` +
      `${overlapping.length} declared overlaps, ${stale.length} stale; ${broken.length} broken`,
  ]
  return lines.join('\n')
}

function placeOf({ log, line, count }) {
  // In an ordinary log the entry is more useful than its line number.
  const place = log.includes('/') ? `${log}:${line}` : log
  return count > 1 ? `${place} (${count} times)` : place
}

function excerpt(entry) {
  const [line] = entry.split('\n', 1)
  return line.length > LONGEST_ENTRY ? `${line.slice(0, LONGEST_ENTRY)}…` : line
}

/**
 * The confusion as a matrix: a row for each rule with the logs that it fires on. `=` is its own log, `+` a declared overlap, `!` a
 * wrong hit, `-` its own log if it is silent on it.
 *
 * @example
 * console.log(drawMatrix(confusion(engine, { rules, folders, overlaps, quiet })))
 */
export function drawMatrix({ silent, own, undeclared, overlapping }) {
  const cells = new Map([...own, ...silent].sort().map((id) => [id, [`${own.includes(id) ? '=' : '-'} own hit.log`]]))
  const add = (mark, hits) => {
    for (const { rule, log } of hits) cells.set(rule, [...(cells.get(rule) ?? []), `${mark} ${log}`])
  }
  add('+', overlapping)
  add('!', undeclared)
  return [...cells].map(([id, logs]) => `${id}  ${logs.join('  ')}`).join('\n')
}
