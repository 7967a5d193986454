import { generateKeyPairSync, verify } from 'node:crypto'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signingKeyFrom } from '../key-ring.js'
import { createSharedSigning } from './shared-signing.js'

const key = signingKeyFrom(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)!

const built = (name: string) => new URL(`../../../dist/keys/signing/${name}.js`, import.meta.url)
/** The helper as built. */
const ENTRY = built('signing-thread')

/** A helper whose signatures can be told from those of this thread: they are the text between `<` and `>`. */
const MARKING = helperThat(`Buffer.from(('<' + text + '>').padEnd(64))`)
/** A helper that ends in the middle of its work. */
const FAILING = helperThat(`{ throw new Error('out of order') }`)

function helperThat(signs: string): URL {
  const program = `
    import { workerData } from 'node:worker_threads'
    import { helpSigning } from ${JSON.stringify(built('slots').href)}
    helpSigning(workerData.memory, (text) => ${signs}, workerData.idleMs)`
  return new URL(`data:text/javascript,${encodeURIComponent(program)}`)
}

/** A helper that was started. Its moments are waited for from the beginning: it may be faster than the test. */
interface Started {
  readonly worker: Worker
  readonly online: Promise<void>
  readonly exit: Promise<void>
}

const started: Started[] = []
const remember = (worker: Worker) => {
  const moment = (name: 'online' | 'exit') => new Promise<void>((resolve) => worker.once(name, () => resolve()))
  started.push({ worker, online: moment('online'), exit: moment('exit') })
}
beforeEach(() => {
  started.length = 0
  process.on('worker', remember)
})
afterEach(async () => {
  process.off('worker', remember)
  await Promise.all(started.map(({ worker }) => worker.terminate()))
})

const texts = (count: number) => Array.from({ length: count }, (_, n) => `text ${n}`)

/** Requests come with a turn of the event loop, as does what another thread has to say. */
const turn = () => new Promise(setImmediate)

const isSigned = (text: string, signature: string) =>
  verify(
    'sha256',
    Buffer.from(text),
    { key: key.publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )

const isMarked = (text: string, signature: string) =>
  Buffer.from(signature, 'base64url').toString().trimEnd() === `<${text}>`

test('a text alone is signed here: there is no helper', async () => {
  const sign = createSharedSigning({ entry: ENTRY })
  for (const text of texts(5)) expect(isSigned(text, await sign(key, text))).toBe(true)
  expect(started).toEqual([])
})

test('what comes together is signed by one helper and this thread, each text once', async () => {
  const sign = createSharedSigning({ entry: MARKING })
  const owners = async () => {
    const signatures = await Promise.all(texts(50).map((text) => sign(key, text)))
    const marked = texts(50).map((text, n) => isMarked(text, signatures[n]!))
    for (const [n, text] of texts(50).entries()) expect(marked[n] || isSigned(text, signatures[n]!)).toBe(true)
    return marked
  }
  // It helps once it has started, and whenever the machine lets it.
  while (!(await owners()).includes(true)) await turn()
  expect(started).toHaveLength(1)
})

test('the helper as built signs as this thread does', async () => {
  const sign = createSharedSigning({ entry: ENTRY })
  const crowd = async () => {
    const signatures = await Promise.all(texts(80).map((text) => sign(key, text)))
    for (const [n, text] of texts(80).entries()) expect(isSigned(text, signatures[n]!)).toBe(true)
  }
  await crowd()
  await started[0]!.online
  for (let n = 0; n < 20; n++) await crowd()
})

test('a helper that fails is done without, and not started again', async () => {
  for (const entry of [FAILING, new URL('file:///nowhere/helper.js')]) {
    const sign = createSharedSigning({ entry })
    const before = started.length
    let isOver = false
    const crowd = async () => {
      const signatures = await Promise.all(texts(20).map((text) => sign(key, text)))
      for (const [n, text] of texts(20).entries()) expect(isSigned(text, signatures[n]!)).toBe(true)
    }
    await crowd()
    started[before]!.exit.then(() => {
      isOver = true
    })
    for (; !isOver; await turn()) await crowd()
    await crowd()
    expect(started).toHaveLength(before + 1)
  }
})

test('where no thread can be had, all is signed here', async () => {
  // Node.js starts no thread from there, and says so at once.
  const sign = createSharedSigning({ entry: new URL('http://127.0.0.1/helper.js') })
  for (let n = 0; n < 2; n++) {
    const signatures = await Promise.all(texts(5).map((text) => sign(key, text)))
    for (const [n, text] of texts(5).entries()) expect(isSigned(text, signatures[n]!)).toBe(true)
  }
  expect(started).toEqual([])
})

test('a helper that nobody needs ends, and another is started when there is much to sign again', async () => {
  const sign = createSharedSigning({ entry: MARKING, idleMs: 1 })
  for (const count of [1, 2]) {
    await Promise.all(texts(4).map((text) => sign(key, text)))
    expect(started).toHaveLength(count)
    await started[count - 1]!.exit
  }
})

test('each key has its own helper', async () => {
  const other = signingKeyFrom(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)!
  const sign = createSharedSigning({ entry: ENTRY })
  await Promise.all([key, other].flatMap((each) => texts(4).map((text) => sign(each, text))))
  expect(started).toHaveLength(2)
})
