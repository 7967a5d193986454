import { afterAll, expect } from 'vitest'

/** What the files of tests that run in one process share beside their modules. */
const shared = () => ({
  folder: process.cwd(),
  environment: { ...process.env },
  exitCode: process.exitCode,
  umask: process.umask(),
  clock: [Date, setTimeout, setInterval, fetch],
  listeners: ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'].map((event) => process.listenerCount(event)),
})

const before = shared()
// A file that leaves something changed fails itself, rather than some other file, on some other day.
afterAll(() => expect(shared()).toEqual(before))
