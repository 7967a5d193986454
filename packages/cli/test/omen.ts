import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'

const program = fileURLToPath(new URL('../dist/omen.js', import.meta.url))

/** A folder for one test file, with the tool's configuration in it. */
export function useFolder() {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'omen-test-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    path: (name: string) => join(folder, name),
    write(name: string, content: string | Uint8Array): string {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    },
    /** Runs the built tool in the folder. */
    omen(args: readonly string[], input: string | Uint8Array = '', environment: NodeJS.ProcessEnv = {}) {
      const env = { ...process.env, OMEN_CONFIG_DIR: join(folder, 'config'), TZ: 'UTC', ...environment }
      const options = { cwd: folder, input, env, maxBuffer: 1 << 28 }
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options)
      return { status, out: stdout.toString(), err: stderr.toString() }
    },
  }
}
