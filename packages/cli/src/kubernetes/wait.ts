import { setTimeout as pass } from 'node:timers/promises'

/** Waits so many milliseconds, or until the signal aborts. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pass(milliseconds, undefined, { signal }).catch(() => {})
}
