import type { ServerResponse } from 'node:http'
import { type ContainerLog, chosenLines, type LogLine, type LogRequest, written } from './logs.js'

/** A log that a client follows. */
export type Follower = (line: LogLine | 'end') => void

/** Thrown when a log breaks off. */
class Broken extends Error {}

/** Sends a requested log in chunks, and breaks the connection if the test wants that. */
export async function sendLog(
  log: ContainerLog,
  request: LogRequest,
  response: ServerResponse,
  follow: (follower: Follower) => () => void,
  mayBreak: () => boolean,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/plain' })
  response.flushHeaders()
  const limit = request.limitBytes ?? Number.POSITIVE_INFINITY
  const breaksAfter = log.breaksAfter !== undefined && mayBreak() ? log.breaksAfter : Number.POSITIVE_INFINITY
  let sent = 0

  async function send(bytes: Uint8Array): Promise<boolean> {
    if (response.destroyed) return false
    const remaining = Math.min(limit, breaksAfter) - sent
    const piece = bytes.subarray(0, remaining)
    sent += piece.length
    if (sent >= breaksAfter) {
      // Flushed first, so that the connection breaks at the exact byte.
      await new Promise<void>((resolve) => response.write(piece, () => resolve()))
      throw new Broken()
    }
    if (!response.write(piece)) await drained(response)
    return sent < limit && !response.destroyed
  }

  const added: (LogLine | 'end')[] = []
  let wake = () => {}
  const leave = request.follow
    ? follow((line) => {
        added.push(line)
        wake()
      })
    : () => {}
  try {
    if (log.bytes) for await (const piece of log.bytes(request)) if (!(await send(piece))) break
    for (const line of chosenLines(log.lines ?? [], request)) if (!(await send(written(line, request)))) break
    response.once('close', () => wake())
    while ((request.follow || log.hangs) && !response.destroyed) {
      for (const line of added.splice(0)) {
        if (line === 'end') return
        await send(written(line, request))
      }
      await new Promise<void>((resolve) => {
        wake = resolve
        if (added.length > 0 || response.destroyed) resolve()
      })
    }
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    response.destroy()
  } finally {
    leave()
    if (!response.destroyed) response.end()
  }
}

/** Waits until the stream drains or closes, and removes its listeners. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}
