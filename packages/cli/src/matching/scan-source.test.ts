import { type CompiledRules, compileRules } from '@omen/engine'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Data } from '../sources/open-data.js'
import { Missing } from '../sources/origin.js'
import type { Source } from '../sources/source.js'
import type { ScanEvents } from './events.js'
import { createPace } from './pace.js'
import { scanConcurrently } from './scan-source.js'

const RULES = `rules:
  - cre: { id: TEST-0001 }
    rule: { set: { event: { source: '*' }, match: [disk full] } }
`
const SETTINGS = { now: new Date('2026-03-01T12:00:00Z'), timestamps: [], skip: 50, since: undefined, until: undefined }

let rules: CompiledRules
beforeAll(async () => {
  rules = await compileRules([{ name: 'rules.yaml', text: RULES }])
})

const source = (name: string, type = '*'): Source => {
  return { name, type, window: undefined, files: [{ path: name, size: undefined, timestamp: undefined }] }
}

/** Data that arrives piece by piece. */
function dataOf(pieces: AsyncIterable<string>): Data {
  const iterator = pieces[Symbol.asyncIterator]()
  return {
    compression: undefined,
    size: undefined,
    file: undefined,
    taken: () => 0,
    async read(into) {
      const { done, value } = await iterator.next()
      if (done) return 0
      into.set(Buffer.from(value))
      return Buffer.byteLength(value)
    },
    close() {},
  }
}

async function* text(...pieces: readonly string[]) {
  yield* pieces
}

function record() {
  const seen: string[] = []
  const events: ScanEvents = {
    found: (index, detections) => void seen.push(...detections.map(({ hits }) => `${index}: ${hits[0].entry}`)),
    advanced: () => {},
    finished: (index) => void seen.push(`${index} finished`),
    problem: (index, message) => void seen.push(`${index} failed: ${message}`),
    warn: (index, message) => void seen.push(`${index} warns: ${message}`),
  }
  return { seen, events }
}

const { signal } = new AbortController()

describe('sources that are read concurrently', () => {
  it('do not wait for a slow source, and have separate states', async () => {
    const { seen, events } = record()
    let finish = () => {}
    const others = new Promise<void>((resolve) => {
      finish = resolve
    })
    async function* slow() {
      yield '2026-03-01T12:00:00Z disk '
      await others
      yield 'full of slow\n'
    }
    const sources = [source('slow'), ...['a', 'b', 'c'].map((name) => source(name, `cre.log.${name}`))]
    const counting: ScanEvents = {
      ...events,
      finished(index, amount) {
        events.finished(index, amount)
        if (seen.filter((event) => event.endsWith('finished')).length === 3) finish()
      },
    }
    await scanConcurrently(sources, rules, SETTINGS, counting, createPace(signal), {
      parallel: 2,
      open: async ({ path }) =>
        dataOf(path === 'slow' ? slow() : text(`2026-03-01T12:00:0${path}Z x\n`, '2026-03-01T12:00:01Z disk full\n')),
    })
    expect(seen.slice(-2)).toEqual(['0: disk full of slow', '0 finished'])
    for (const index of [1, 2, 3]) expect(seen).toContain(`${index}: disk full`)
  })

  it('are at most as many as the origin allows', async () => {
    const { events } = record()
    let [open, most] = [0, 0]
    await scanConcurrently(
      Array.from({ length: 20 }, (_, n) => source(`s${n}`)),
      rules,
      SETTINGS,
      events,
      createPace(signal),
      {
        parallel: 3,
        async open() {
          most = Math.max(most, ++open)
          const data = dataOf(text('2026-03-01T12:00:01Z line\n'))
          return { ...data, close: () => void open-- }
        },
      },
    )
    expect({ open, most }).toEqual({ open: 0, most: 3 })
  })

  it('report missing data as a warning, and a failure as a problem', async () => {
    const { seen, events } = record()
    await scanConcurrently([source('gone'), source('broken')], rules, SETTINGS, events, createPace(signal), {
      parallel: 2,
      async open({ path }) {
        throw path === 'gone' ? new Missing('it is gone') : new Error('it broke')
      },
    })
    expect(seen.sort()).toEqual(['0 finished', '0 warns: it is gone', '1 failed: broken: it broke', '1 finished'])
  })
})
