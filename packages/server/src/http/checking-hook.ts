import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'

/** Throws what is wrong with a request, or answers it and gives the reply. */
export type Check = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/**
 * A hook for checks that wait for nothing. An `async` function would do the same, and take a turn of the microtask queue for each
 * request; what a plain one throws, Fastify would not catch.
 *
 * @example
 * app.addHook('onRequest', checkingHook((request) => { … throw new Problem('bad_request', '…') }))
 */
export function checkingHook(check: Check) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    let answered: FastifyReply | undefined
    try {
      answered = check(request, reply)
    } catch (error) {
      done(error as Error)
      return
    }
    if (answered === undefined) done()
  }
}
