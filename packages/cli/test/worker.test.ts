import { fileURLToPath } from 'node:url'
import { MessageChannel, Worker } from 'node:worker_threads'
import { compileRules, exportRules } from '@omen/engine'
import { expect, it } from 'vitest'
import { createCounters, type WorkerMessage, type WorkerStart, type WorkerTask } from '../src/threads/protocol.js'
import { useFolder } from './omen.js'

const folder = useFolder()

/** The needles of this regex are not sufficient, so the worker has to load the regex engine. */
const RULES = `rules:
  - cre: {id: TEST-0201}
    rule: {set: {event: {source: x}, match: [{regex: 'lost \\d+ of \\d+'}]}}
`

it('a worker takes the free segments and sends their matches', async () => {
  const log = '2026-03-01T12:00:01Z quiet\n2026-03-01T12:00:02Z lost 3 of 9\n2026-03-01T12:00:03Z lost\n'
  const { port1, port2 } = new MessageChannel()
  const task: WorkerTask = {
    kind: 'segments',
    path: folder.write('small.log', log),
    size: log.length,
    formats: [{ name: 'rfc3339' }],
    zone: undefined,
    options: { now: new Date('2026-03-02T00:00:00Z') },
    rules: exportRules(await compileRules([{ name: 'r.yaml', text: RULES }])),
    counters: createCounters(),
    mostAhead: 4,
  }
  const workerData: WorkerStart = { port: port2 }
  const program = fileURLToPath(new URL('../dist/worker.js', import.meta.url))
  const worker = new Worker(program, { workerData, transferList: [port2] })
  port1.postMessage(task)
  const message = await new Promise<WorkerMessage>((resolve, reject) => {
    port1.once('message', resolve)
    worker.once('error', reject)
  })
  port1.close()
  await worker.terminate()
  if (!('segment' in message)) throw new Error(JSON.stringify(message))
  expect(message.index).toBe(0)
  expect(message.segment.lines).toBe(3)
  const [batch] = message.segment.batches
  expect([...batch.line].slice(0, batch.matches)).toEqual([2])
  expect(new TextDecoder().decode(batch.text)).toContain('lost 3 of 9')
})
