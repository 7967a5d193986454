import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Failure } from '../failure.js'
import { planOutput } from './output-plan.js'
import { writeFileAtomically, writeNewFile } from './write-file.js'
import { writeReport } from './write-report.js'
import { writeToStream } from './write-stream.js'

let folder = ''
const path = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(path(name), 'utf8')
const mode = (name: string) => statSync(path(name)).mode & 0o7777

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-write-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The failure that a write ends with. */
async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Failure)
  return error as Failure
}

describe('a file', () => {
  test('is written from strings and bytes', async () => {
    await writeFileAtomically(path('a'), ['grün ', new Uint8Array([0xff, 0x00]), '', '!'])
    expect(readFileSync(path('a'))).toEqual(
      Buffer.concat([Buffer.from('grün '), Buffer.from([0xff, 0]), Buffer.from('!')]),
    )
    expect(readdirSync(folder)).toEqual(['a'])
  })

  test('may be empty, and may be large', async () => {
    await writeFileAtomically(path('empty'), [])
    expect(read('empty')).toBe('')
    const line = `${'x'.repeat(999)}\n`
    await writeFileAtomically(path('large'), Array(5000).fill(line))
    expect(statSync(path('large')).size).toBe(5_000_000)
  })

  test('respects the umask and a given mode', async () => {
    const before = process.umask(0o027)
    try {
      await writeFileAtomically(path('usual'), ['x'])
      await writeFileAtomically(path('secret'), ['x'], { mode: 0o600 })
    } finally {
      process.umask(before)
    }
    expect(mode('usual')).toBe(0o640)
    expect(mode('secret')).toBe(0o600)
  })

  test('that is replaced keeps its permissions', async () => {
    writeFileSync(path('a'), 'old')
    chmodSync(path('a'), 0o604)
    await writeFileAtomically(path('a'), ['new'], { mode: 0o666 })
    expect(read('a')).toBe('new')
    expect(mode('a')).toBe(0o604)
  })

  test('is never seen incomplete: a reader of the old file keeps reading it', async () => {
    writeFileSync(path('a'), 'old')
    linkSync(path('a'), path('kept'))
    await writeFileAtomically(path('a'), ['new'])
    expect(read('kept')).toBe('old')
    expect(read('a')).toBe('new')
  })

  test('is unchanged if writing fails, and no temporary file is left', async () => {
    writeFileSync(path('a'), 'old')
    const broken = function* () {
      yield 'x'.repeat(1_000_000)
      throw new TypeError('a mistake of ours')
    }
    await expect(writeFileAtomically(path('a'), broken())).rejects.toThrow(TypeError)
    expect(read('a')).toBe('old')
    expect(readdirSync(folder)).toEqual(['a'])
  })

  test('can have the longest possible name', async () => {
    const name = `${'ü'.repeat(127)}x`
    await writeFileAtomically(path(name), ['x'])
    expect(readdirSync(folder)).toEqual([name])
  })

  test('written by two processes at once is complete', async () => {
    const texts = ['a', 'b'].map((letter) => letter.repeat(2_000_000))
    await Promise.all(texts.map((text) => writeFileAtomically(path('a'), [text])))
    expect(texts).toContain(read('a'))
    expect(readdirSync(folder)).toEqual(['a'])
  })
})

describe('a symbolic link', () => {
  test('stays a link, and its target is replaced', async () => {
    mkdirSync(path('there'))
    writeFileSync(path('there/file'), 'old')
    symlinkSync('there/file', path('link'))
    symlinkSync('link', path('second'))
    await writeFileAtomically(path('second'), ['new'])
    expect(lstatSync(path('second')).isSymbolicLink()).toBe(true)
    expect(lstatSync(path('link')).isSymbolicLink()).toBe(true)
    expect(read('there/file')).toBe('new')
    expect(readdirSync(path('there'))).toEqual(['file'])
  })

  test('without a target creates it', async () => {
    symlinkSync('new', path('link'))
    await writeFileAtomically(path('link'), ['x'])
    expect(read('new')).toBe('x')
    expect(lstatSync(path('link')).isSymbolicLink()).toBe(true)
  })

  test('to itself is rejected', async () => {
    symlinkSync('loop', path('loop'))
    expect((await failureOf(writeFileAtomically(path('loop'), ['x']))).message).toMatch('too many symbolic links')
  })
})

describe('a file that cannot be written is an error that says what to do', () => {
  test.each([
    { name: '.', message: 'is a directory; give a file name' },
    { name: 'missing/a', message: 'the folder does not exist; create it or choose another name' },
    { name: `${'x'.repeat(256)}`, message: 'the name is too long; choose a shorter one' },
    { name: 'file/a', message: 'part of the path is not a folder' },
  ])('$name', async ({ name, message }) => {
    writeFileSync(path('file'), '')
    const failure = await failureOf(writeFileAtomically(path(name), ['x']))
    expect(failure.kind).toBe('Output')
    expect(failure.message).toBe(`${path(name)}: ${message}`)
    expect(readdirSync(folder)).toEqual(['file'])
  })

  test('a full disk', async () => {
    const failure = await failureOf(writeFileAtomically('/dev/full', ['x']))
    expect(failure.message).toBe('/dev/full: the disk is full; free some space, or choose another folder')
  })
})

describe('a target that is not a regular file is written directly', () => {
  test('/dev/null', async () => {
    await writeFileAtomically('/dev/null', ['x'])
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  test('a named pipe with a late and slow reader', async () => {
    spawnSync('mkfifo', [path('pipe')])
    const content = `${'0123456789'.repeat(100_000)}\n`
    const writing = writeFileAtomically(path('pipe'), [content])
    const { stdout } = await promisify(execFile)('cat', [path('pipe')], { maxBuffer: 1 << 24 })
    await writing
    expect(stdout === content).toBe(true)
    expect(lstatSync(path('pipe')).isFIFO()).toBe(true)
  })

  test('a named pipe whose reader closes it early is not an error', async () => {
    spawnSync('mkfifo', [path('pipe')])
    const writing = writeFileAtomically(path('pipe'), ['x'.repeat(1_000_000)])
    await promisify(execFile)('head', ['-c', '1', path('pipe')])
    await writing
  })

  test('the wait for a reader can be aborted', async () => {
    spawnSync('mkfifo', [path('pipe')])
    const abort = new AbortController()
    const writing = writeFileAtomically(path('pipe'), ['x'], { signal: abort.signal })
    abort.abort()
    expect((await failureOf(writing)).message).toMatch('interrupted')
  })

  test('an open descriptor is written at its current position', async () => {
    const file = openSync(path('a'), 'w')
    writeFileSync(file, 'summary\n')
    await writeFileAtomically(`/dev/fd/${file}`, ['[]\n'])
    closeSync(file)
    expect(read('a')).toBe('summary\n[]\n')
  })
})

describe('a new file', () => {
  const nameFor = (attempt: number) => path(`report-${attempt}`)

  test('gets the first free name and never replaces a file', async () => {
    writeFileSync(path('report-0'), 'existing')
    symlinkSync('nowhere', path('report-1'))
    expect(await writeNewFile(nameFor, ['mine'])).toBe(path('report-2'))
    expect(read('report-0')).toBe('existing')
    expect(read('report-2')).toBe('mine')
    expect(readdirSync(folder).sort()).toEqual(['report-0', 'report-1', 'report-2'])
  })

  test('in a missing folder is an error', async () => {
    const failure = await failureOf(writeNewFile((attempt) => path(`missing/${attempt}`), ['x']))
    expect(failure.message).toMatch('the folder does not exist')
  })
})

describe('a stream', () => {
  test('gets everything with backpressure', async () => {
    let most = 0
    const parts: Buffer[] = []
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _, done) {
        most = Math.max(most, slow.writableLength)
        parts.push(chunk)
        setImmediate(done)
      },
    })
    const content = Array.from({ length: 3000 }, (_, line) => `${line} ${'x'.repeat(500)}\n`)
    expect(await writeToStream(slow, content)).toBe(true)
    expect(Buffer.concat(parts).toString()).toBe(content.join(''))
    expect(most).toBeLessThan(600_000)
  })

  test('whose reader has gone is not an error', async () => {
    const closed = new PassThrough()
    closed.destroy()
    expect(await writeToStream(closed, ['x'])).toBe(false)
    const broken = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    })
    expect(await writeToStream(broken, ['x'])).toBe(false)
  })

  test('to a full disk is an error', async () => {
    const full = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' })),
    })
    expect((await failureOf(writeToStream(full, ['x']))).message).toMatch('standard output: the disk is full')
  })
})

describe('a report', () => {
  const problems = [
    {
      cre: { id: 'A' },
      hits: [{ timestamp: 'T', entry: 'e', line: 1 }],
      id: 'A',
      rule_hash: '',
      rule_id: '',
      timestamp: 'T',
    },
  ]
  const now = new Date(1_772_366_403_000)

  test('goes to standard output, to a file, or nowhere', async () => {
    const stdout = new PassThrough()
    expect(await writeReport(planOutput('-', false, now).report, problems, { stdout })).toBeUndefined()
    expect(JSON.parse(stdout.read().toString())).toEqual(problems)
    expect(await writeReport(planOutput(path('a.json'), false, now).report, problems, { stdout })).toBe(path('a.json'))
    expect(JSON.parse(read('a.json'))).toEqual(problems)
    expect(await writeReport(planOutput('', false, now).report, problems, { stdout })).toBeUndefined()
    expect(stdout.read()).toBeNull()
  })
})
