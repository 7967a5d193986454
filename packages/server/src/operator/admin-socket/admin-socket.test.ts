import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CODES, tableOperations, useOperatorStage } from '../../../test/operator/stage.js'

const stage = useOperatorStage()

describe('the admin socket', () => {
  test('is accessible only to its owner, and is removed when the server stops', async () => {
    await stage.serve(tableOperations())
    const { mode } = statSync(join(stage.folder(), 'admin.sock'))
    expect((mode & 0o777).toString(8)).toBe('600')
    await stage.close()
    expect(() => statSync(join(stage.folder(), 'admin.sock'))).toThrow('ENOENT')
  })

  test('replaces the socket of an earlier server', async () => {
    writeFileSync(join(stage.folder(), 'admin.sock'), '')
    await stage.serve(tableOperations())
    expect(JSON.parse((await stage.run({ verb: 'code list', json: true })).out)).toEqual(CODES)
  })

  test('works with a path that is too long for a socket', async () => {
    const dataDir = join(stage.folder(), 'long'.repeat(50))
    mkdirSync(dataDir)
    await stage.serve(tableOperations(), { dataDir })
    expect(JSON.parse((await stage.run({ verb: 'code list', json: true }, { dataDir })).out)).toEqual(CODES)
    expect((statSync(join(dataDir, 'admin.sock')).mode & 0o777).toString(8)).toBe('600')
  })

  test('gives each of twenty concurrent commands its own response', async () => {
    await stage.serve(tableOperations())
    const all = await Promise.all(Array.from({ length: 20 }, () => stage.run({ verb: 'code list', json: true })))
    for (const { out } of all) expect(JSON.parse(out)).toEqual(CODES)
  })

  test('reports an unexpected error to the log, and not to the command', async () => {
    const reported: unknown[] = []
    const operations = { ...tableOperations(), rotateKeys: () => Promise.reject(new Error('SECRET')) }
    await stage.serve(operations, { onError: (error) => void reported.push(error) })
    const rotating = stage.run({ verb: 'keys rotate', json: false })
    await expect(rotating).rejects.toMatchObject({
      code: 'internal',
      message: 'The server failed. See its log.',
    })
    expect(reported).toEqual([new Error('SECRET')])
  })
})
