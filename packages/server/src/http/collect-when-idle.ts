import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'

/** How often is looked whether there is anything to do. */
const PERIOD_MS = 2_000

/** Fewer in a period are health checks and stragglers, whom a pause of some hundredths of a second does not hurt. */
const QUIET = 20

/** So many requests leave something behind that is worth a collection. The start does, too. */
const BUSY = 1_000

/**
 * Quiet periods before the first collection. A full collection also throws away compiled code that is not running, and the next
 * thousands of requests take half as long again until it is compiled anew: a pause between two bursts is not worth that.
 */
const PATIENCE = 3

/**
 * The first collection finds what is garbage. The room for new objects, 32 MiB after a burst, is given back by one that sees that
 * little was asked for in the five seconds before it: the fourth at the latest.
 */
const TIMES = 4

/**
 * Gives memory back when the service has nothing to do. V8 collects garbage when memory is asked for, so what a start or a burst
 * of requests leaves behind would otherwise stay until the next one: some 40 MiB.
 *
 * @example
 * collectWhenIdle(app)
 */
export function collectWhenIdle(app: FastifyInstance, collect: () => void = findCollector()): void {
  let sinceCollection = BUSY
  let inPeriod = 0
  let quietPeriods = 0
  let due = 0
  const look = () => {
    quietPeriods = inPeriod < QUIET ? quietPeriods + 1 : 0
    inPeriod = 0
    if (quietPeriods < PATIENCE) return
    if (sinceCollection >= BUSY) {
      sinceCollection = 0
      due = TIMES
    }
    if (due === 0) return
    due--
    collect()
  }
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', (done) => {
    timer = setInterval(look, PERIOD_MS).unref()
    done()
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    sinceCollection++
    inPeriod++
    done()
  })
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    done()
  })
}

/** V8 shows its collector only to contexts that are made after it was asked to; the flag is taken back at once. */
function findCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collector: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return typeof collector === 'function' ? () => collector() : () => {}
}
