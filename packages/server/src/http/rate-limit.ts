import type { FastifyReply } from 'fastify'
import type { Clock } from '../clock.js'
import { Problem } from '../problem.js'

const WINDOW_MS = 60_000

/** About 10 MB when full. Counting per address cannot stop a client that has more addresses. */
const MAX_KEYS = 50_000

/** The rest of an allowance after a request. */
export interface Allowance {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds until the whole allowance is available again. */
  readonly resetSeconds: number
}

export type Limiter = (key: string) => Allowance

interface Window {
  readonly startedAt: number
  count: number
}

export interface LimiterOptions {
  readonly limit: number
  readonly clock: Clock
  readonly maxKeys?: number
}

/**
 * Limits the number of requests per key in the minute that starts with the first one. The counters are local to this process:
 * several processes each allow the limit, and a restart resets it.
 *
 * Invariant: the map contains windows in the order in which they started, so the expired ones come first. If it is full, the
 * oldest window is dropped.
 *
 * @example
 * const tries = createLimiter({ limit: 10, clock })
 * tries('203.0.113.7') // { allowed: true, limit: 10, remaining: 9, resetSeconds: 60 }
 */
export function createLimiter({ limit, clock, maxKeys = MAX_KEYS }: LimiterOptions): Limiter {
  const windows = new Map<string, Window>()

  const current = (key: string, now: number): Window => {
    const known = windows.get(key)
    if (known !== undefined && isOpen(known, now)) return known
    windows.delete(key)
    for (const [other, window] of windows) {
      if (isOpen(window, now) && windows.size < maxKeys) break
      windows.delete(other)
    }
    const window = { startedAt: now, count: 0 }
    windows.set(key, window)
    return window
  }

  return (key) => {
    const now = clock().getTime()
    const window = current(key, now)
    window.count += 1
    return {
      allowed: window.count <= limit,
      limit,
      remaining: Math.max(0, limit - window.count),
      resetSeconds: Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - now) / 1000)),
    }
  }
}

/** A window that starts in the future was opened before the clock was set back: it must not lock anybody out. */
function isOpen({ startedAt }: Window, now: number): boolean {
  return now >= startedAt && now < startedAt + WINDOW_MS
}

/** Counts a request, sets the rate limit headers of its response, and throws a `Problem` if it is over the limit. */
export function allow(limiter: Limiter, key: string, reply: FastifyReply, what: string): void {
  const { allowed, limit, remaining, resetSeconds } = limiter(key)
  reply.headers({ 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': resetSeconds })
  if (allowed) return
  const seconds = `${resetSeconds} ${resetSeconds === 1 ? 'second' : 'seconds'}`
  throw new Problem('rate_limited', `More than ${limit} ${what} in a minute. Try again in ${seconds}.`, {
    retryAfter: resetSeconds,
  })
}
