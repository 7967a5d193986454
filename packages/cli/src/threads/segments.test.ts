import { openSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { useFolder } from '../../test/omen.js'
import { createPace } from '../matching/pace.js'
import { cutIntoSegments, SEGMENT_BYTES } from './segments.js'

const folder = useFolder()
const FORMATS = [{ name: 'rfc3339', shapes: 1 << 2 }]
const LINE = `2026-03-01T12:00:01Z ${'x'.repeat(78)}\n`

function segmentsOf(content: string, stop = new AbortController()) {
  const path = folder.path('cut.log')
  writeFileSync(path, content)
  const { count, start } = cutIntoSegments(openSync(path, 'r'), content.length, FORMATS, createPace(stop.signal))
  return { count, starts: (...indexes: number[]) => Promise.all(indexes.map(start)) }
}

describe('a file that is divided into segments', () => {
  it('is divided where entries start', async () => {
    const log = LINE.repeat(Math.ceil((2.5 * SEGMENT_BYTES) / LINE.length))
    const segments = segmentsOf(log)
    expect(segments.count).toBe(3)
    const starts = await segments.starts(0, 1, 2, 3)
    expect(starts[0]).toBe(0)
    expect(starts[3]).toBe(log.length)
    for (const start of starts.slice(1, 3)) expect(start % LINE.length).toBe(0)
    expect(starts[1] - SEGMENT_BYTES).toBeLessThan(LINE.length)
  })

  it('has a range without an entry in the segment before', async () => {
    const log = `${LINE}${'\tat some.place\n'.repeat(Math.ceil((2.2 * SEGMENT_BYTES) / 15))}${LINE.repeat(SEGMENT_BYTES / 200)}`
    const segments = segmentsOf(log)
    const entry = log.indexOf(LINE, LINE.length)
    expect(await segments.starts(1, 2)).toEqual([entry, entry])
    expect(await segments.starts(0)).toEqual([0])
  })

  it('is one segment if no further entry starts', async () => {
    const log = LINE + '\tfolded\n'.repeat(Math.ceil((1.5 * SEGMENT_BYTES) / 8))
    const segments = segmentsOf(log)
    expect(await segments.starts(0, 1, 2)).toEqual([0, log.length, log.length])
  })

  it('is not searched further when the scan is stopped', async () => {
    const log = LINE + '\tfolded\n'.repeat(Math.ceil((1.5 * SEGMENT_BYTES) / 8)) + LINE
    const stop = new AbortController()
    const segments = segmentsOf(log, stop)
    stop.abort()
    expect(await segments.starts(0, 1)).toEqual([0, log.length])
  })
})
