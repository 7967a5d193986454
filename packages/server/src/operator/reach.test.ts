import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CODES, tableOperations, useOperatorStage } from '../../test/operator/stage.js'
import { DatabaseInUse } from '../store/database.js'

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
      message: `${stage.folder()}: the database is open in another process that does not respond at ${stage.folder()}/admin.sock: wait until it has started, or end it`,
    })
  })

  /** A server that says who it is, and then does as it is told with the connection of the call itself. */
  async function dying(end: (socket: Socket) => void, work: () => Promise<void>): Promise<void> {
    const about = 'HTTP/1.1 200 OK\r\ncontent-length: 25\r\nconnection: close\r\n\r\n{"onboardUrl":"http://x"}'
    const server = createServer((socket) => {
      socket.once('data', (data) => (data.toString().startsWith('POST /about') ? socket.end(about) : end(socket)))
    })
    await new Promise<void>((resolve) => server.listen(join(stage.folder(), 'admin.sock'), resolve))
    try {
      await work()
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  }
  const open = async () => ({ operations: tableOperations(), close: async () => undefined })
  const issue = () => stage.run({ verb: 'code issue', org: 'Acme', expires: '2026-12-31', json: true }, { open })
  const list = async () => JSON.parse((await stage.run({ verb: 'code list', json: true }, { open })).out)

  test('a server that ends in the middle: what reads is asked elsewhere, what changes is not done twice', async () => {
    const inTheMiddle = (socket: Socket) => {
      socket.once('data', () => socket.destroy())
      socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    }
    await dying(inTheMiddle, async () => {
      expect(await list()).toEqual(CODES)
      await expect(issue()).rejects.toMatchObject({
        exitCode: 1,
        message:
          'the server ended during this command: check with "omen-server audit" whether it happened, then try again',
      })
    })
  })

  test('a server that ends before it was told anything: all of it is done elsewhere', async () => {
    await dying(
      (socket) => socket.destroy(),
      async () => {
        expect(await list()).toEqual(CODES)
        expect(JSON.parse((await issue()).out)).toMatchObject({ code: 'K7QF2M-9XTR4B' })
      },
    )
  })
})
