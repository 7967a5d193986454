import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CODES, tableOperations, useOperatorStage } from '../../test/operator/stage.js'
import { DatabaseInUse } from '../store/database.js'

const stage = useOperatorStage()

describe('a command', () => {
  test('opens and closes the database if no server runs', async () => {
    const steps: string[] = []
    const open = async () => {
      steps.push('open')
      return { operations: tableOperations(), close: async () => void steps.push('close') }
    }
    const { out } = await stage.run({ verb: 'code issue', org: 'Acme', expires: '2026-12-31', json: false }, { open })
    expect(steps).toEqual(['open', 'close'])
    expect(out).toContain("curl 'http://localhost:8080/v1/auth/validate?code=K7QF2M-9XTR4B'")
  })

  test('waits for a server that is starting', async () => {
    const open = () => Promise.reject(new DatabaseInUse(stage.folder()))
    const pause = async () => {
      if (!stage.isServed()) await stage.serve(tableOperations())
    }
    expect(JSON.parse((await stage.run({ verb: 'code list', json: true }, { open, pause })).out)).toEqual(CODES)
  })

  test('reports a process that never responds', async () => {
    const open = () => Promise.reject(new DatabaseInUse(stage.folder()))
    await expect(stage.run({ verb: 'code list', json: true }, { open })).rejects.toMatchObject({
      exitCode: 1,
      message: `${stage.folder()}: the database is open in another process that does not respond at ${stage.folder()}/admin.sock: wait until it has started, or end it`,
    })
  })

  /** A server that identifies itself, and then handles the connection of the request as the test says. */
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

  test('repeats a read, but not a change, if the server ends during the request', async () => {
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

  test('opens the database itself if the server ends before it received the request', async () => {
    await dying(
      (socket) => socket.destroy(),
      async () => {
        expect(await list()).toEqual(CODES)
        expect(JSON.parse((await issue()).out)).toMatchObject({ code: 'K7QF2M-9XTR4B' })
      },
    )
  })
})
