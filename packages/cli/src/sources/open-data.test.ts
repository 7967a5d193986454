import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Data, openData } from './open-data.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omen-open-data-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const TEXT = '2026-03-01T12:00:00Z the disk is full\n2026-03-01T12:00:01Z and the night is long\n'

function write(name: string, contents: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, contents)
  return path
}

async function readAll(data: Data, size = 1 << 16): Promise<string> {
  const into = new Uint8Array(size)
  const pieces: Buffer[] = []
  for (let bytes = await data.read(into); bytes > 0; bytes = await data.read(into)) {
    pieces.push(Buffer.from(into.subarray(0, bytes)))
  }
  await data.close()
  return Buffer.concat(pieces).toString()
}

async function textOf(source: string | number): Promise<string> {
  return readAll(await openData(source))
}

const failure = (source: string | number) =>
  textOf(source).then(
    () => 'no failure',
    (error: Error) => `${error.name}: ${error.message}`,
  )

describe('an opened file', () => {
  it('is read synchronously if it is plain text', async () => {
    const path = write('app.log', TEXT.repeat(5000))
    const data = await openData(path)
    const { compression, size, file } = data
    expect({ compression, size, isInPlace: typeof file }).toEqual({
      compression: undefined,
      size: TEXT.length * 5000,
      isInPlace: 'number',
    })
    expect(data.read(new Uint8Array(10))).toBe(10)
    expect(await readAll(data)).toBe(TEXT.repeat(5000).slice(10))
    expect(data.taken()).toBe(size)
  })

  it.each([0, 1, 2, 3, 5, 9])('may have %i bytes', async (length) => {
    expect(await textOf(write('short.log', TEXT.slice(0, length)))).toBe(TEXT.slice(0, length))
  })

  it.each([0, 1, 3])('is text if it has only the first %i bytes of a signature', async (length) => {
    expect(await textOf(write('mark', Buffer.from('BZh9').subarray(0, length)))).toBe('BZh9'.slice(0, length))
  })

  it('is recognized by its first bytes, not by its name', async () => {
    expect(await textOf(write('plain.gz', TEXT))).toBe(TEXT)
    expect(await textOf(write('packed.log', gzipSync(TEXT)))).toBe(TEXT)
  })

  it('counts the compressed bytes that were read', async () => {
    const packed = gzipSync(TEXT)
    const data = await openData(write('packed.gz', packed))
    expect([data.compression, data.size, data.file]).toEqual(['gzip', packed.length, undefined])
    await readAll(data)
    expect(data.taken()).toBe(packed.length)
  })

  it('is read into a buffer of any size', async () => {
    for (const name of ['app.log', 'app.gz', 'app.txt']) {
      const path = write(name, { 'app.log': TEXT, 'app.gz': gzipSync(TEXT), 'app.txt': utf16(TEXT, 'le') }[name]!)
      expect(await readAll(await openData(path), 1)).toBe(TEXT)
      expect(await readAll(await openData(path), 7)).toBe(TEXT)
    }
  })

  it('keeps the byte order mark of UTF-8, which the engine skips', async () => {
    expect(await textOf(write('bom.log', `\ufeff${TEXT}`))).toBe(`\ufeff${TEXT}`)
  })

  it('can be closed at any time, and then has no more data', async () => {
    for (const name of ['app.log', 'app.gz', 'app.txt']) {
      const contents = { 'app.log': TEXT, 'app.gz': gzipSync(TEXT.repeat(9999)), 'app.txt': utf16(TEXT, 'be') }[name]!
      const data = await openData(write(name, contents))
      await data.read(new Uint8Array(5))
      await data.close()
      await data.close()
      expect(await data.read(new Uint8Array(5))).toBe(0)
    }
  })
})

function utf16(text: string, order: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}

describe('binary data', () => {
  const EXECUTABLE = Buffer.from(`\x7fELF${'\x02\0'.repeat(200)}`, 'latin1')

  it('is refused with the command that reads the text in it, compressed or not', async () => {
    const path = write('core', EXECUTABLE)
    expect(await failure(path)).toBe(
      `Failure: binary data is not examined: to read the text in it, try strings ${path} | omen`,
    )
    expect(await failure(write('core.gz', gzipSync(EXECUTABLE)))).toContain('binary data is not examined')
  })
})

describe('UTF-16 text', () => {
  const texts = { plain: TEXT, foreign: 'größer 時間 🚀\n'.repeat(9000), empty: '' }
  it.each(['le', 'be'] as const)('is converted to UTF-8: %s', async (order) => {
    for (const text of Object.values(texts)) {
      expect(await textOf(write('windows.log', utf16(text, order)))).toBe(text)
      expect(await textOf(write('windows.log.gz', gzipSync(utf16(text, order))))).toBe(text)
    }
  })

  it.each(['le', 'be'] as const)('gives the logs of all bundled rules unchanged: %s', async (order) => {
    const rules = fileURLToPath(new URL('../../../../rules/', import.meta.url))
    const logs = readdirSync(rules, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.log'))
    expect(logs.length).toBeGreaterThan(300)
    for (const log of logs) {
      const text = readFileSync(join(rules, log), 'utf8')
      expect(await textOf(write('windows.log', utf16(text, order)))).toBe(text)
    }
  })

  it('has replacement characters for invalid bytes', async () => {
    expect(await textOf(write('odd.log', Buffer.concat([utf16('ab', 'be'), Buffer.of(0)])))).toBe('ab\ufffd')
    expect(await textOf(write('half.log', Buffer.concat([utf16('a', 'le'), Buffer.of(0x00, 0xd8)])))).toBe('a\ufffd')
  })
})

describe('an unreadable file', () => {
  const tar = Buffer.alloc(1024)
  tar.write('logs/app.log')
  tar.write('ustar', 257)
  it.each([
    ['logs.tar', tar, 'a tar archive: try tar -xOf FILE | omen'],
    ['logs.tar.gz', gzipSync(tar), 'a tar archive: try tar -xOf FILE | omen'],
    ['logs.zip', Buffer.from('PK\x03\x04 and so on'), 'a zip archive: try unzip -p FILE | omen'],
    ['logs.7z', Buffer.from('7z\xbc\xaf\x27\x1c', 'latin1'), 'a 7z archive: try 7z x -so FILE | omen'],
    ['logs.rar', Buffer.from('Rar!\x1a\x07'), 'a rar archive: try unrar p -inul FILE | omen'],
    ['app.lz4', Buffer.from('\x04\x22\x4d\x18'), 'lz4-compressed: try lz4 -dc FILE | omen'],
    ['app.lz', Buffer.from('LZIP\x01'), 'lzip-compressed: try lzip -dc FILE | omen'],
    ['app.Z', Buffer.from('\x1f\x9d\x90', 'latin1'), 'compressed with compress: try zcat FILE | omen'],
    [
      'system.journal',
      Buffer.from('LPKSHHRH'),
      'a systemd journal: try journalctl -o short-iso-precise --file FILE | omen',
    ],
    ['wide.log', Buffer.from([0xff, 0xfe, 0, 0, 65, 0, 0, 0]), 'UTF-32 text: try iconv -f UTF-32 -t UTF-8 FILE | omen'],
    ['zip.gz', gzipSync('PK\x03\x04 and so on'), 'a zip archive in gzip data: unpack it first'],
    ['app.log.gz.gz', gzipSync(gzipSync(TEXT)), 'gzip data in gzip data: unpack it first'],
  ])('has an error that says what to do: %s', async (name, contents, message) => {
    const path = write(name, contents)
    expect(await failure(path)).toBe(`Failure: ${message.replace('FILE', path)}`)
  })

  it('has its name quoted for the shell', async () => {
    const path = write("it's a log.zip", 'PK\x03\x04')
    expect(await failure(path)).toBe(`Failure: a zip archive: try unzip -p '${path.replace("'", "'\\''")}' | omen`)
  })

  it('has an error that says why it cannot be opened', async () => {
    mkdirSync(join(folder, 'logs'))
    symlinkSync('round', join(folder, 'round'))
    expect(await failure(join(folder, 'none.log'))).toBe('Failure: no such file')
    expect(await failure(join(folder, 'logs'))).toBe('Failure: is a folder')
    expect(await failure(join(folder, 'round'))).toBe('Failure: too many symbolic links')
    expect(await failure(join(folder, 'x'.repeat(300)))).toBe('Failure: the name is too long')
    expect(await failure(join(write('app.log', TEXT), 'x'))).toBe(
      'Failure: no such file: a part of the path is not a folder',
    )
    expect(await failure('a\0b')).toBe('Failure: no such file: a name cannot contain a zero byte')
  })

  it('may be a socket', async () => {
    const path = join(folder, 'socket')
    const server = createServer().listen(path)
    await new Promise((resolve) => server.once('listening', resolve))
    expect(await failure(path)).toBe('Failure: a socket cannot be read: name a file or a pipe')
    await new Promise((resolve) => server.close(resolve))
  })

  it('may be a truncated archive', async () => {
    const path = write('cut.gz', gzipSync(TEXT.repeat(1000)).subarray(0, 300))
    expect(await failure(path)).toBe('Failure: truncated gzip data: the archive ends early')
  })
})

describe('pipes', () => {
  /** A named pipe, which a test can open for reading and writing. */
  let pipes = 0
  function pipe(): { path: string; open: (flags: number) => number } {
    const path = join(folder, `pipe-${pipes++}`)
    execFileSync('mkfifo', [path])
    return { path, open: (flags) => openSync(path, flags | constants.O_NONBLOCK) }
  }

  it('are read to the end, whatever the format of the data', async () => {
    for (const contents of [Buffer.from(TEXT), gzipSync(TEXT), utf16(TEXT, 'be'), Buffer.alloc(0), Buffer.from('BZ')]) {
      const { path, open } = pipe()
      const opened = openData(path)
      const writer = open(constants.O_RDWR)
      writeSync(writer, contents)
      const reader = open(constants.O_RDONLY)
      // The writer is opened first, because a pipe without a writer is at its end.
      const text = opened.then((data) => readAll(data))
      await new Promise((resolve) => setImmediate(resolve))
      closeSync(writer)
      closeSync(reader)
      expect(await text).toBe(contents.length < 10 ? contents.toString() : TEXT)
    }
  })

  it('give a line as soon as it is written', async () => {
    const { path, open } = pipe()
    const writer = open(constants.O_RDWR)
    writeSync(writer, 'one\n')
    const data = await openData(path)
    expect([data.size, data.file, data.compression]).toEqual([undefined, undefined, undefined])
    const into = new Uint8Array(100)
    expect(await data.read(into)).toBe(4)
    const waiting = data.read(into)
    writeSync(writer, 'another\n')
    expect(await waiting).toBe(8)
    expect(data.taken()).toBe(12)
    await data.close()
    closeSync(writer)
  })

  it('can be closed while no data arrives', async () => {
    for (const start of [Buffer.from(TEXT), Buffer.concat([gzipSync(TEXT), gzipSync(TEXT).subarray(0, 30)])]) {
      const { path, open } = pipe()
      const writer = open(constants.O_RDWR)
      writeSync(writer, start)
      const data = await openData(path)
      let bytes = -1
      const reading = (async () => {
        while (bytes !== 0) bytes = await data.read(new Uint8Array(10_000))
      })()
      await new Promise((resolve) => setImmediate(resolve))
      await data.close()
      await reading
      expect(bytes).toBe(0)
      closeSync(writer)
    }
  })

  it('with an archive are refused with a command that extracts it', async () => {
    const { open } = pipe()
    const writer = open(constants.O_RDWR)
    writeSync(writer, 'PK\x03\x04')
    expect(await failure(writer)).toBe('Failure: a zip archive: try … | funzip | omen')
  })

  it('can be checked for data without reading it', async () => {
    const { openInput } = await import('./input.js')
    const { open } = pipe()
    const writer = open(constants.O_RDWR)
    const input = openInput(writer)
    const waiting = input.hasData()
    writeSync(writer, TEXT)
    expect(await waiting).toBe(true)
    const data = await openData(writer)
    const into = new Uint8Array(1000)
    expect(Buffer.from(into.subarray(0, await data.read(into))).toString()).toBe(TEXT)
    await data.close()
  })
})

describe('file descriptors', () => {
  it('are read from their current position, and stay open', async () => {
    const file = openSync(write('app.log', TEXT), 'r')
    const data = await openData(file)
    expect(data.file).toBeUndefined()
    expect(await readAll(data)).toBe(TEXT)
    closeSync(file)
  })

  it('can be opened by a path such as /dev/fd/3', async () => {
    const file = openSync(write('app.log', TEXT), 'r')
    expect(await textOf(`/dev/fd/${file}`)).toBe(TEXT)
    expect(await textOf(`/proc/self/fd/${file}`)).toBe(TEXT)
    closeSync(file)
  })

  it('of devices are read to the end of the device', async () => {
    expect(await textOf('/dev/null')).toBe('')
  })
})
