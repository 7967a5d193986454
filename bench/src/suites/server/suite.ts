import type { Suite } from '../../harness/suite.js'
import { type Column, verdictColumns } from '../../harness/table.js'
import type { LoadFigure } from './duel.js'
import { SERVER_FLAGS, SERVER_ROWS, type ServerBench, type ServerResult } from './rows.js'
import { openStage } from './stage.js'
import { findServer } from './subject.js'

/** Rates are rounded down and times up: neither is shown better than it was. */
function figureColumns(figureOf: (result: ServerResult) => LoadFigure | null): readonly Column<ServerResult>[] {
  const column = (heading: string, width: number, show: (figure: LoadFigure) => string): Column<ServerResult> => ({
    heading,
    width,
    isNumber: true,
    cell(result) {
      const figure = figureOf(result)
      return figure === null ? '' : show(figure)
    },
  })
  return [
    column('req/s', 7, ({ rate }) => String(Math.floor(rate))),
    column('p99', 9, ({ p99 }) => `${(Math.ceil(p99 * 100) / 100).toFixed(2)} ms`),
  ]
}

/** The benchmark of `omen-server`. */
export const serverSuite: Suite<typeof SERVER_FLAGS, ServerBench, ServerResult> = {
  command: 'bench:server',
  flags: SERVER_FLAGS,
  rows: SERVER_ROWS,
  columns: [
    { heading: 'row', width: 8, cell: ({ row }) => row },
    { heading: 'work', width: 86, cell: ({ work }) => work },
    ...figureColumns(({ subject }) => subject),
    { heading: 'opponent', width: 8, cell: ({ opponent }) => opponent?.name ?? '' },
    ...figureColumns(({ opponent }) => opponent),
    ...verdictColumns<ServerResult>('rate', [10, 14, 11], ({ rate }) => rate),
    ...verdictColumns<ServerResult>('p99, memory', [12, 14, 11], ({ other }) => other),
  ],
  verdictsOf: ({ rate, other }) => (rate === undefined ? [other] : [rate, other]),
  async open({ options, scratch, report }) {
    const stage = await openStage({ subject: findServer(options.subject), scratch, report })
    const { connections, runs, seconds } = options
    return {
      stage: { stage, options },
      versions: { PostgreSQL: stage.postgres.version },
      method: `${connections} connections, medians of ${runs} turns of ${seconds} s`,
      close: stage.close,
    }
  },
}
