import { describe, expect, it } from 'vitest'
import { useFolder } from './omen.js'

const folder = useFolder()

const RULES = `rules:
  - cre: {id: TEST-0101}
    rule: {set: {event: {source: x}, match: [needle]}}
  - cre: {id: TEST-0102}
    rule: {sequence: {event: {source: x}, window: 30s, order: [needle 7, other], negate: [{value: calm, window: 2s}]}}
`

function randomLog(count: number, seed: number): string {
  const start = Date.UTC(2026, 2, 1)
  const lines: string[] = []
  for (let i = seed; i < count + seed; i++) {
    const text =
      i % 5003 === 0 ? `needle ${i % 9}` : i % 101 === 50 ? 'other' : i % 397 === 0 ? 'calm' : 'nothing of interest'
    const fold = i % 1009 === 0 ? '\n  folded line with a needle' : ''
    lines.push(`${new Date(start + i * 150).toISOString()} worker ${i} ${text} ${'.'.repeat(i % 60)}${fold}\n`)
  }
  return lines.join('')
}

/** Standard error has an entry in pieces most of the time: it is open where the file is divided. */
function criLog(count: number): string {
  const start = Date.UTC(2026, 2, 1)
  return Array.from({ length: count }, (_, i) => {
    const time = new Date(start + i * 150).toISOString()
    const piece = i % 1000 === 0 ? 'stderr P needle 7' : i % 1000 === 900 ? 'stderr F in pieces' : undefined
    return `${time} ${piece ?? `stdout F worker ${i} ${i % 101 === 50 ? 'other' : 'nothing'} ${'.'.repeat(80)}`}\n`
  }).join('')
}

function dockerLog(count: number): string {
  const long = 'needle '.repeat(2400)
  const start = Date.UTC(2026, 2, 1)
  return Array.from({ length: count }, (_, i) => {
    const [log, stream] = i % 1000 === 0 ? [long, 'stderr'] : i % 1000 === 900 ? ['its end\n', 'stderr'] : []
    const time = new Date(start + i * 150).toISOString()
    return `${JSON.stringify({ log: log ?? `worker ${i} nothing ${'.'.repeat(60)}\n`, stream: stream ?? 'stdout', time })}\n`
  }).join('')
}

describe('a scan on several threads', () => {
  it('gives the same report for a file as on one thread', () => {
    folder.write('many.yaml', RULES)
    folder.write('large.log', randomLog(420_000, 0))
    const args = ['-d', '-r', 'many.yaml', '-q', '-o', '-', 'large.log']
    const alone = folder.omen(['--threads', '1', ...args])
    expect(JSON.parse(alone.out)[0].hits.length).toBeGreaterThan(400)
    expect(JSON.parse(alone.out)).toHaveLength(2)
    expect(folder.omen(['--threads', '3', ...args])).toEqual(alone)
    expect(folder.omen(args)).toEqual(alone)
  })

  it.each([
    ['cri', criLog],
    ['docker', dockerLog],
  ])('gives the same report for a file of a container runtime as on one thread: %s', (name, write) => {
    folder.write('many.yaml', RULES)
    folder.write(`${name}.log`, write(300_000))
    const args = ['-d', '-r', 'many.yaml', '-q', '-o', '-', `${name}.log`]
    const alone = folder.omen(['--threads', '1', ...args])
    expect(JSON.parse(alone.out)[0].hits.length).toBe(300)
    expect(folder.omen(['--threads', '3', ...args])).toEqual(alone)
  })

  it('gives the same report and messages for several files as on one thread', () => {
    folder.write('many.yaml', RULES)
    const names = ['a.log', 'b.log', 'c.log', 'd.log', 'e.log', 'f.log']
    for (const [i, name] of names.entries()) folder.write(name, randomLog(60_000, i * 777))
    folder.write('timeless.log', 'needle\n'.repeat(10))
    const args = ['-d', '-r', 'many.yaml', '-o', '-', 'missing.log', 'timeless.log', ...names]
    const alone = folder.omen(['--threads', '1', ...args])
    const together = folder.omen(['--threads', '3', ...args])
    const reportOf = ({ out }: { out: string }) =>
      // Lines without a timestamp get the time of the run.
      JSON.parse(out.slice(out.indexOf('\n[') + 1), (key, value) => (key === 'timestamp' ? undefined : value))
    expect(reportOf(together)).toEqual(reportOf(alone))
    expect(reportOf(together).flatMap(({ hits }: { hits: unknown[] }) => hits).length).toBeGreaterThan(300)
    expect([together.status, together.err]).toEqual([alone.status, alone.err])
    const stages = ({ out }: { out: string }) => out.match(/^.* done!/gm)
    expect(stages(together)).toEqual(stages(alone))
  })
})
