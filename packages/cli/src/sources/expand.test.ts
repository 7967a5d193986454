import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expand } from './expand.js'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'omen-expand-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)

function write(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), 'a line\n')
  }
}

/** Expands a path in the folder; the results are relative to the folder. */
async function expandIn(path: string) {
  const { files, problems, skipped } = await expand(at(path))
  const short = (text: string) => text.replaceAll(`${folder}/`, '').replaceAll(folder, '.')
  return {
    files: files.map((file) => short(file.path)),
    problems: problems.map(short),
    skipped: skipped.map(({ path, reason }) => `${short(path)}: ${short(reason)}`),
  }
}

const only = (...files: readonly string[]) => ({ files, problems: [], skipped: [] })

describe('a path', () => {
  it('of a file gives that file and its size', async () => {
    write('app.log')
    expect(await expand(at('app.log'))).toMatchObject({ files: [{ path: at('app.log'), size: 7, folder: undefined }] })
  })

  it('of an existing file is not a pattern', async () => {
    write('app[1].log', 'app1.log', '*.log', '{a,b}')
    expect(await expandIn('app[1].log')).toEqual(only('app[1].log'))
    expect(await expandIn('*.log')).toEqual(only('*.log'))
    expect(await expandIn('{a,b}')).toEqual(only('{a,b}'))
  })

  it('of a binary file, a pipe or a device gives it', async () => {
    writeFileSync(at('core'), Buffer.alloc(100))
    execFileSync('mkfifo', [at('pipe')])
    expect(await expandIn('core')).toEqual(only('core'))
    expect(await expandIn('pipe')).toEqual(only('pipe'))
    expect((await expand('/dev/null')).files).toMatchObject([{ path: '/dev/null', size: undefined }])
  })

  it('of a missing file is a problem that names the folder and similar files', async () => {
    write('logs/kafka.log')
    symlinkSync('nowhere', at('broken.log'))
    const problem = async (path: string) => (await expandIn(path)).problems
    expect(await problem('logs/kafak.log')).toEqual(['logs/kafak.log: no such file in logs: did you mean kafka.log?'])
    expect(await problem('logs/database.txt')).toEqual(['logs/database.txt: no such file in logs'])
    expect(await problem('lgos/kafka.log')).toEqual(['lgos/kafka.log: no such file: there is no folder lgos'])
    expect(await problem('logs/kafka.log/x')).toEqual([
      'logs/kafka.log/x: no such file: a part of the path is not a folder',
    ])
    expect(await problem('broken.log')).toEqual(['broken.log: a broken symbolic link'])
  })

  it('gives relative paths if it is relative', async () => {
    write('logs/a.log', 'logs/b.log')
    const here = relative('.', folder)
    const paths = async (path: string) => (await expand(path)).files.map(({ path }) => path)
    expect(await paths(`${here}/logs/a.log`)).toEqual([`${here}/logs/a.log`])
    expect(await paths(`${here}/logs`)).toEqual([`${here}/logs/a.log`, `${here}/logs/b.log`])
    expect(await paths(`${here}/logs/*.log`)).toEqual([`${here}/logs/a.log`, `${here}/logs/b.log`])
  })
})

describe('a pattern', () => {
  beforeEach(() =>
    write(
      'a.log',
      'b.log',
      'c.txt',
      '.hidden.log',
      'x/a.log',
      'x/y/b.log',
      'x/.git/c.log',
      'x/y/c10.log',
      'x/y/c9.log',
    ),
  )

  it.each([
    ['*.log', ['a.log', 'b.log']],
    ['?.log', ['a.log', 'b.log']],
    ['[b-c].*', ['b.log', 'c.txt']],
    ['[!a].log', ['b.log']],
    ['{a,c}.{log,txt}', ['a.log', 'c.txt']],
    ['**/*.log', ['a.log', 'b.log', 'x/a.log', 'x/y/b.log', 'x/y/c9.log', 'x/y/c10.log']],
    ['x/**', ['x/a.log', 'x/y/b.log', 'x/y/c9.log', 'x/y/c10.log']],
    ['*/a.log', ['x/a.log']],
    ['.*.log', ['.hidden.log']],
    ['x/../*.log', ['a.log', 'b.log']],
  ])('%s matches files in the order of their names', async (pattern, files) => {
    expect(await expandIn(pattern)).toEqual(only(...files))
  })

  it('that matches no file is a problem', async () => {
    const problem = async (path: string) => (await expandIn(path)).problems
    expect(await problem('*.gz')).toEqual(['*.gz: no file matches'])
    expect(await problem('none/*.log')).toEqual(['none/*.log: no file matches'])
    expect(await problem('[')).toEqual(['[: no file matches'])
    expect(await problem('x/*y')).toEqual(['x/*y: no file matches, only folders: end it with /** for what is in them'])
  })

  it('skips files that are not regular', async () => {
    execFileSync('mkfifo', [at('d.log')])
    symlinkSync('/dev/zero', at('e.log'))
    expect((await expandIn('*.log')).files).toEqual(['a.log', 'b.log'])
  })

  it('follows links, but not endlessly', async () => {
    symlinkSync('..', at('x/up'))
    symlinkSync('../y', at('x/y/self'))
    symlinkSync('c.txt', at('link.log'))
    const { files, problems } = await expandIn('**/*.log')
    expect(new Set(files)).toContain('link.log')
    expect(problems).toEqual([])
    expect(files.length).toBeLessThan(30)
  })
})

describe('a folder', () => {
  it('gives the text files in it, sorted by name', async () => {
    write(
      'logs/app.log',
      'logs/app.log.10',
      'logs/app.log.9',
      'logs/b/a.log',
      'logs/a/z.log',
      'logs/.hidden',
      'logs/.git/x',
    )
    expect(await expandIn('logs')).toEqual({
      ...only('logs/a/z.log', 'logs/app.log', 'logs/app.log.9', 'logs/app.log.10', 'logs/b/a.log'),
      skipped: ['logs/.hidden: hidden', 'logs/.git: hidden'],
    })
    expect((await expand(at('logs'))).files[0].folder).toBe(at('logs'))
  })

  it('is read even if it is hidden', async () => {
    write('.logs/app.log')
    expect(await expandIn('.logs')).toEqual(only('.logs/app.log'))
  })

  it('skips files that are not text, with the reasons', async () => {
    write('logs/app.log')
    writeFileSync(at('logs/core'), Buffer.concat([Buffer.from('ELF'), Buffer.alloc(9)]))
    writeFileSync(at('logs/core.gz'), gzipSync(Buffer.alloc(99)))
    writeFileSync(at('logs/late'), Buffer.concat([Buffer.alloc(4096, 'a'), Buffer.alloc(9)]))
    writeFileSync(at('logs/old.zip'), 'PK\x03\x04')
    writeFileSync(at('logs/packed.gz'), gzipSync('a line\n'))
    writeFileSync(at('logs/windows.log'), Buffer.from('\ufeffa line\n', 'utf16le'))
    writeFileSync(at('logs/empty.log'), '')
    writeFileSync(at('logs/cut.gz'), gzipSync('a line\n').subarray(0, 15))
    execFileSync('mkfifo', [at('logs/pipe')])
    symlinkSync('nowhere', at('logs/broken'))
    expect(await expandIn('logs')).toEqual({
      files: ['app.log', 'cut.gz', 'empty.log', 'late', 'packed.gz', 'windows.log'].map((name) => `logs/${name}`),
      problems: [],
      skipped: [
        'logs/broken: a broken symbolic link',
        'logs/pipe: not a regular file',
        'logs/core: binary',
        'logs/core.gz: binary',
        'logs/old.zip: a zip archive: try unzip -p logs/old.zip | omen',
      ],
    })
  })

  it('without text files is a problem', async () => {
    mkdirSync(at('empty'))
    const problems = ['empty: no file matches: the folder contains no text']
    expect(await expandIn('empty')).toEqual({ files: [], problems, skipped: [] })
  })

  it('with other files only is a problem that says what they are', async () => {
    mkdirSync(at('other'))
    writeFileSync(at('other/a.zip'), 'PK\x03\x04')
    writeFileSync(at('other/b.zip'), 'PK\x03\x04')
    writeFileSync(at('other/core'), Buffer.alloc(99))
    expect((await expandIn('other')).problems).toEqual([
      'other: no file matches: the folder contains no text, only 2 zip archives: unzip -p FILE | omen; 1 binary file',
    ])
  })

  it('is walked once, even with circular links', async () => {
    write('logs/a.log', 'logs/b/c.log', 'far/d.log')
    symlinkSync('..', at('logs/b/up'))
    symlinkSync('.', at('logs/self'))
    symlinkSync('../far', at('logs/far'))
    symlinkSync('../far/d.log', at('logs/d.log'))
    expect(await expandIn('logs')).toEqual(only('logs/a.log', 'logs/b/c.log', 'logs/d.log', 'logs/far/d.log'))
  })

  it('gives the same identity to all links to one file', async () => {
    write('logs/a.log')
    linkSync(at('logs/a.log'), at('logs/b.log'))
    symlinkSync('a.log', at('logs/c.log'))
    const { files } = await expand(at('logs'))
    expect([files.length, new Set(files.map(({ identity }) => identity)).size]).toEqual([3, 1])
  })

  it('may be nested deeply', async () => {
    const deep = `${'d/'.repeat(500)}app.log`
    write(deep)
    expect(await expandIn('d')).toEqual(only(deep))
  })

  it('of a pseudo file system is skipped', async () => {
    const { files, skipped } = await expand('/proc')
    expect(files).toEqual([])
    expect(skipped).toEqual([{ path: '/proc', kind: 'pseudo', reason: 'a pseudo file system' }])
  })
})
