import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refused, readText } from './api.js'
import { openRaw } from './raw.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-raw-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Asks a kubectl that does what the script says. */
function ask(script: string) {
  const program = join(folder, 'kubectl')
  writeFileSync(program, `#!/bin/sh\n${script}\n`)
  chmodSync(program, 0o755)
  return openRaw({ program, flags: [], env: process.env }).get('/api/v1/pods', new AbortController().signal)
}

const textOf = async (script: string) => readText(await ask(script), 1 << 20)

describe('a request by a process of kubectl', () => {
  it('gives what it writes', async () => {
    expect(await textOf('printf one; printf two')).toBe('onetwo')
    expect(await textOf(':')).toBe('')
  })

  it('gives more than a pipe holds', async () => {
    expect(await textOf("head -c 300000 /dev/zero | tr '\\0' x")).toBe('x'.repeat(300_000))
  })

  it('is refused in the words of kubectl', async () => {
    const refusal = ask('echo \'Error from server (NotFound): pods "web" not found\' >&2; exit 1')
    await expect(refusal).rejects.toEqual(new Refused(404, 'NotFound', 'pods "web" not found'))
  })

  it('breaks off where kubectl fails in the middle, also when the end of what it writes comes first', async () => {
    await expect(textOf('printf one; exit 1')).rejects.toThrow('the connection was closed')
    // The end of the pipe comes before that of the process.
    await expect(textOf('printf one; exec >&-; sh -c :; exit 1')).rejects.toThrow('the connection was closed')
  })
})
