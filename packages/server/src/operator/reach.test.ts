import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CODES, tableOperations, useOperatorStage } from '../../test/operator/stage.js'
import { DatabaseInUse } from '../store/database-in-use.js'

const stage = useOperatorStage()

describe('the way to the operations', () => {
  test('without a server the database is opened, and closed again', async () => {
    const steps: string[] = []
    const open = async () => {
      steps.push('open')
      return { operations: tableOperations(), close: async () => void steps.push('close') }
    }
    const { out } = await stage.run({ verb: 'code issue', org: 'Acme', expires: '2026-12-31', json: false }, { open })
    expect(steps).toEqual(['open', 'close'])
    expect(out).toContain("curl 'http://localhost:8080/v1/auth/validate?code=K7QF2M-9XTR4B'")
  })

  test('a server that is just starting is waited for', async () => {
    const open = () => Promise.reject(new DatabaseInUse(stage.folder()))
    const pause = async () => {
      if (!stage.isServed()) await stage.serve(tableOperations())
    }
    expect(JSON.parse((await stage.run({ verb: 'code list', json: true }, { open, pause })).out)).toEqual(CODES)
  })

  test('a process that never answers is named', async () => {
    const open = () => Promise.reject(new DatabaseInUse(stage.folder()))
    await expect(stage.run({ verb: 'code list', json: true }, { open })).rejects.toMatchObject({
      exitCode: 1,
      message: `${stage.folder()}: the database is open in another process that does not answer at ${stage.folder()}/admin.sock: wait until it has started, or end it`,
    })
  })

  test('a server that ends in the middle: what reads is asked elsewhere, what changes is not done twice', async () => {
    const path = join(stage.folder(), 'admin.sock')
    const broken = createServer((socket) => {
      socket.once('data', (data) => {
        // It still says who it is, and dies in the middle of the call itself.
        const isAbout = data.toString().startsWith('POST /about')
        if (isAbout)
          socket.end('HTTP/1.1 200 OK\r\ncontent-length: 25\r\nconnection: close\r\n\r\n{"onboardUrl":"http://x"}')
        else socket.destroy()
      })
    })
    await new Promise<void>((resolve) => broken.listen(path, resolve))
    try {
      const open = async () => ({ operations: tableOperations(), close: async () => undefined })
      expect(JSON.parse((await stage.run({ verb: 'code list', json: true }, { open })).out)).toEqual(CODES)
      const issuing = stage.run({ verb: 'code issue', org: 'Acme', expires: '2026-12-31', json: true }, { open })
      await expect(issuing).rejects.toMatchObject({
        exitCode: 1,
        message:
          'the server ended in the middle of this: look with "omen-server audit" whether it happened, then try again',
      })
    } finally {
      await new Promise((resolve) => broken.close(resolve))
    }
  })
})
