/** What came of the rows of a bench. */
export interface Outcome<Result> {
  readonly results: readonly Result[]
  readonly failures: readonly { readonly row: string; readonly why: string }[]
}

/** How the table of a bench shows what came of a row. */
export interface Lines<Result> {
  readonly tableLine: (result: Result) => string
  readonly failedLine: (row: string, why: string) => string
}

/**
 * Measures row after row. A row that fails is told and does not stop the others.
 *
 * @example
 * const { results } = await measureRows(rows, (row) => row.run(bench), { tableLine, failedLine }, console.log)
 */
export async function measureRows<Row extends { readonly name: string }, Result>(
  rows: readonly Row[],
  run: (row: Row) => AsyncIterable<Result>,
  { tableLine, failedLine }: Lines<Result>,
  show: (text: string) => void,
): Promise<Outcome<Result>> {
  const results: Result[] = []
  const failures: { row: string; why: string }[] = []
  for (const row of rows) {
    try {
      for await (const result of run(row)) {
        results.push(result)
        show(tableLine(result))
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      failures.push({ row: row.name, why })
      show(failedLine(row.name, why))
    }
  }
  return { results, failures }
}

/** Reads the values of `--only`. Throws with a sentence for the user when a row does not exist. */
export function readOnly(values: readonly string[], rows: readonly string[]): readonly string[] {
  const only = values.flatMap((names) => names.split(',')).filter((name) => name !== '')
  const unknown = only.find((name) => !rows.includes(name))
  if (unknown !== undefined) throw new Error(`there is no row "${unknown}"; the rows are ${rows.join(', ')}`)
  return only
}

/** The rows that `--only` names; all when it names none. */
export function chosenRows<Row extends { readonly name: string }>(
  rows: readonly Row[],
  only: readonly string[],
): readonly Row[] {
  return rows.filter(({ name }) => only.length === 0 || only.includes(name))
}
