import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiError, readText } from './api.js'
import { openRaw } from './kubectl.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-raw-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Sends a request with a script in place of kubectl. */
function send(script: string) {
  const program = join(folder, 'kubectl')
  writeFileSync(program, `#!/bin/sh\n${script}\n`)
  chmodSync(program, 0o755)
  return openRaw({ program, flags: [], env: process.env }).get('/api/v1/pods', new AbortController().signal)
}

const textOf = async (script: string) => readText(await send(script), 1 << 20)

describe('a request with kubectl get --raw', () => {
  it('returns the output of kubectl', async () => {
    expect(await textOf('printf one; printf two')).toBe('onetwo')
    expect(await textOf(':')).toBe('')
  })

  it('returns more than a pipe can hold', async () => {
    expect(await textOf("head -c 300000 /dev/zero | tr '\\0' x")).toBe('x'.repeat(300_000))
  })

  it('rejects with the error of kubectl', async () => {
    const failure = send('echo \'Error from server (NotFound): pods "web" not found\' >&2; exit 1')
    await expect(failure).rejects.toEqual(new ApiError(404, 'NotFound', 'pods "web" not found'))
  })

  it('breaks off if kubectl fails in the middle, even if its output ends first', async () => {
    await expect(textOf('printf one; exit 1')).rejects.toThrow('the connection was closed')
    // The pipe ends before the process.
    await expect(textOf('printf one; exec >&-; sh -c :; exit 1')).rejects.toThrow('the connection was closed')
  })
})
