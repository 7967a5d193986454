import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'

/** The built tool. */
export const program = fileURLToPath(new URL('../dist/omen.js', import.meta.url))

/** A folder for one test file, which contains the configuration of the tool. */
export function useFolder() {
  let folder = ''
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'omen-test-')))
  })
  // Retries, because a process that is ending may still write a file.
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
    // The environment of the test run must not matter: terminal size, colours, proxies, time zone.
    const { PATH, HOME } = process.env
    return { PATH, HOME, OMEN_CONFIG_DIR: join(folder, 'config'), TZ: 'UTC', ...more }
  }
  return {
    path: (name: string) => join(folder, name),
    environment,
    write(name: string, content: string | Uint8Array): string {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return path
    },
    remove: (name: string) => rmSync(join(folder, name), { recursive: true, force: true }),
    /** Runs the built tool in the folder. */
    omen(args: readonly string[], input: string | Uint8Array = '', more: NodeJS.ProcessEnv = {}) {
      const options = { cwd: folder, input, env: environment(more), maxBuffer: 1 << 28 }
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options)
      return { status, out: stdout.toString(), err: stderr.toString() }
    },
  }
}
