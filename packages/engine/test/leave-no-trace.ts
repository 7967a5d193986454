import { afterAll, expect } from 'vitest'

/** The state that test files in one process share besides their modules. */
const shared = () => ({
  folder: process.cwd(),
  environment: { ...process.env },
  exitCode: process.exitCode,
  umask: process.umask(),
  clock: [Date, setTimeout, setInterval, fetch],
  listeners: ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'].map((event) => process.listenerCount(event)),
})

const before = shared()
// A file that leaves a change fails itself, instead of a later file.
afterAll(() => expect(shared()).toEqual(before))
