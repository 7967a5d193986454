import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type Browser, chromium } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const engine = fileURLToPath(new URL('../src/index.ts', import.meta.url))

/** The code that runs in each environment: rules with every kind of condition, on a log in two pieces. */
const PROGRAM = `
  const text = \`
rules:
  - cre: {id: CRE-2026-8001}
    rule: {set: {event: {source: cre.log.x}, match: [disk full]}}
  - cre: {id: CRE-2026-8002}
    rule: {set: {event: {source: cre.log.x}, match: [{regex: '(?i)TIMEOUT after \\\\d+ms'}]}}
  - cre: {id: CRE-2026-8003}
    rule: {sequence: {event: {source: cre.log.x}, window: 5s, order: [disk full, {jq: '.code == 7'}]}}
\`
  const log = new TextEncoder().encode([
    '2026-03-01T12:00:01Z the disk full again',
    '2026-03-01T12:00:02Z Timeout after 15ms',
    '2026-03-01T12:00:03Z {"code":7}',
  ].join('\\n'))
  const rules = await omen.compileRules([{ name: 'rules.yaml', text }])
  const found = []
  for await (const d of omen.detect(rules, [log.subarray(0, 50), log.subarray(50)])) {
    found.push(d.cre.id + ' ' + d.hits.map((hit) => hit.timestamp + ' ' + hit.entry).join(' | '))
  }
  return found
`

const EXPECTED = [
  'CRE-2026-8001 1772366401000000000 the disk full again',
  'CRE-2026-8002 1772366402000000000 Timeout after 15ms',
  'CRE-2026-8003 1772366401000000000 the disk full again | 1772366403000000000 {"code":7}',
]

let code: string
let server: Server
let browser: Browser

beforeAll(async () => {
  const bundle = await rolldown({ input: engine, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  code = output[0].code
  server = createServer((request, response) => {
    const isScript = request.url === '/engine.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? code : '<!doctype html><title>engine</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
})

afterAll(async () => {
  await browser?.close()
  await new Promise((resolve) => server.close(resolve))
})

function pageUrl(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('the engine runs', () => {
  it('in a browser page', async () => {
    const page = await browser.newPage()
    await page.goto(pageUrl())
    const found = await page.evaluate(`(async () => { const omen = await import('/engine.js'); ${PROGRAM} })()`)
    expect(found).toEqual(EXPECTED)
    await page.close()
  })

  it('in a web worker', async () => {
    const page = await browser.newPage()
    await page.goto(pageUrl())
    const program = `import * as omen from '${pageUrl()}engine.js'; postMessage(await (async () => { ${PROGRAM} })())`
    // A string, not a function: the test runner rewrites the imports of functions.
    const found = await page.evaluate(`new Promise((resolve, reject) => {
      const source = ${JSON.stringify(program)}
      const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
      const worker = new Worker(url, { type: 'module' })
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message))
    })`)
    expect(found).toEqual(EXPECTED)
    await page.close()
  })

  it('in a worker thread of Node.js', async () => {
    const module = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
    const program = `
      import { parentPort } from 'node:worker_threads'
      import * as omen from '${module}'
      parentPort.postMessage(await (async () => { ${PROGRAM} })())`
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`))
    const found = await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
    await worker.terminate()
    expect(found).toEqual(EXPECTED)
  })
})
