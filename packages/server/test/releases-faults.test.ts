import { readFileSync, watch, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createAdminClient } from '../src/operator/admin-socket/admin-client.js'
import { CHUNK_BYTES } from '../src/store/releases/release-blobs.js'
import { type OmenServer, until, useOmen } from './omen-server.js'
import { usePostgres, WAITING } from './postgres.js'
import { makePair, signatureOf } from './releases/stage.js'
import { makeScene } from './scene.js'

const omen = useOmen()
const postgres = usePostgres()
const pair = makePair()

const MIB = 1024 * 1024

/** Writes an executable with its signature. */
function writeTool(name: string, size: number): void {
  const bytes = Buffer.alloc(size, name)
  writeFileSync(omen.path(name), bytes)
  writeFileSync(omen.path(`${name}.sig`), signatureOf(pair, bytes))
  writeFileSync(omen.path('release.pub.pem'), pair.publicKey.pem)
}

const latest = async ({ url }: OmenServer) => (await fetch(`${url}/v1/rules/latest`)).json()

test('kill -9 during a publication leaves nothing of it, and it can be repeated', async () => {
  const url = await postgres.createDatabase()
  const options = { env: { DATABASE_URL: url } }
  const { serve, command, actions } = makeScene(omen, 'killed', options)
  const server = await serve()
  writeTool('omen-0.1.0-linux-x64', 2 * MIB)
  await command('keys', 'release', '--add', 'release.pub.pem')
  const before = await actions()
  // The publication ends with its audit record, and none can be written.
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin; lock table audit in exclusive mode')
  const publishing = omen.begin(['tool', 'publish', 'omen-0.1.0-linux-x64', '--data-dir', 'killed'], options)
  await until(publishing, async () => (await client.query(WAITING)).rows[0].waiting > 0)
  publishing.process.kill('SIGKILL')
  await publishing.ended
  await client.query('rollback')
  await client.end()
  expect(await latest(server)).toEqual({})
  expect(await command('tool', 'list')).toEqual([])
  expect(await actions()).toEqual(before)
  await command('tool', 'publish', 'omen-0.1.0-linux-x64')
  expect(await latest(server)).toMatchObject({ tool: { version: '0.1.0', files: [{ size: 2 * MIB }] } })
  await server.stop()
})

test('kill -9 of a server with the embedded database during an upload leaves nothing of it, and it can be repeated', async () => {
  const { serve, command } = makeScene(omen, 'embedded')
  let server = await serve()
  writeTool('omen-0.2.0-linux-x64', 3 * MIB)
  await command('keys', 'release', '--add', 'release.pub.pem')
  // Uploads like the command, up to the first byte of a piece that the database writes.
  const { beginUpload, addChunk } = createAdminClient(omen.path('embedded')).operations
  const { upload } = await beginUpload()
  const bytes = Buffer.alloc(CHUNK_BYTES, 'x').toString('base64')
  for (let number = 0; number < 5; number++) await addChunk({ upload, number, bytes })
  const writing = watch(omen.path('embedded/database/pg_wal'))
  writing.once('change', () => server.process.kill('SIGKILL'))
  await addChunk({ upload, number: 5, bytes }).catch(() => 'lost')
  await server.kill()
  writing.close()
  server = await serve()
  expect(await command('tool', 'list')).toEqual([])
  await command('tool', 'publish', 'omen-0.2.0-linux-x64')
  const { tool } = (await latest(server)) as { tool: { files: { url: string }[] } }
  const served = Buffer.from(await (await fetch(tool.files[0]!.url)).arrayBuffer())
  expect(served.equals(readFileSync(omen.path('omen-0.2.0-linux-x64')))).toBe(true)
  await server.stop()
})

test('a client that disconnects during an upload leaves nothing, and one that disconnects during a download ends it', async () => {
  const url = await postgres.createDatabase()
  const { serve, command } = makeScene(omen, 'cut', { env: { DATABASE_URL: url } })
  const server = await serve()
  writeTool('omen-0.3.0-linux-x64', 24 * MIB)
  await command('keys', 'release', '--add', 'release.pub.pem')
  await command('tool', 'publish', 'omen-0.3.0-linux-x64')
  const { token } = await command<{ token: string }>(
    ...['token', 'issue', '--org', 'Acme', '--name', 'ci', '--scope', 'rules:publish'],
  )
  const { hostname, port } = new URL(server.url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const blobs = async () => (await client.query('select count(*)::int as count from release_blobs')).rows[0].count

  const upload = connect(Number(port), hostname)
  const name = 'omen-private-cre-rules.1.0.0.9f2c4e6a8b0d.yaml.gz'
  const signature = Buffer.alloc(70, 1).toString('base64')
  const head = `PUT /v1/rules/${name} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nOmen-Signature: ${signature}\r\n`
  upload.write(`${head}Content-Length: 4000000\r\n\r\n`)
  upload.write(Buffer.alloc(1_000_000))
  await server.until(async () => (await blobs()) > 1)
  upload.destroy()
  await server.until(async () => (await blobs()) < 2)

  const download = new AbortController()
  const response = await fetch(`${server.url}/v1/tool/omen-0.3.0-linux-x64`, { signal: download.signal })
  await response.body!.getReader().read()
  download.abort()
  // No request is pending: the service stops without waiting.
  await client.end()
  expect((await server.stop()).status).toBe(0)
})

test('a large file is uploaded and downloaded with little of it in memory', async () => {
  const size = 96 * MIB
  const options = { env: { DATABASE_URL: await postgres.createDatabase() } }
  const { serve, command } = makeScene(omen, 'large', options)
  const server = await serve()
  writeTool('omen-0.4.0-linux-x64', size)
  await command('keys', 'release', '--add', 'release.pub.pem')
  const peak = () =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))![1]) * 1024
  const start = peak()
  await command('tool', 'publish', 'omen-0.4.0-linux-x64')
  const download = async () => {
    let received = 0
    const response = await fetch(`${server.url}/v1/tool/omen-0.4.0-linux-x64`)
    for await (const piece of response.body!) received += piece.length
    expect(received).toBe(size)
  }
  // Sent buffers are not collected at once: the first transfers grow the heap, and later ones must fit into it.
  for (let times = 0; times < 3; times++) await download()
  const before = peak()
  expect(before - start).toBeLessThan(2 * size)
  expect(before).toBeLessThan(3 * size)
  for (let times = 0; times < 2; times++) await download()
  expect(peak() - before).toBeLessThan(size / 2)
  await server.stop()
})
