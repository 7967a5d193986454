import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** What each package of ours may import of ours. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  cli: ['@omen/engine'],
  server: ['@omen/engine'],
  web: ['@omen/engine'],
}

/** The rooms of the engine, each of which may import those behind it. */
const ROOMS = ['scan', 'match', 'rules', 'terms', 'time']

const ROOMS_WITHOUT_A_SUBJECT = /(^|\/)(utils?|helpers?|common|misc|shared|types)(\/|\.tsx?$)/

interface Import {
  readonly file: string
  readonly from: string
}

function sourcesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s*['"]([^'"]+)['"]/g,
  )
  return [...found].map((match) => ({ file, from: (match[1] ?? match[2] ?? match[3]) as string }))
}

const packages = readdirSync(join(root, 'packages'))
const engineFiles = sourcesOf('packages/engine/src')

describe('dependencies point one way', () => {
  it('sees the imports it is meant to judge', () => {
    const seen = engineFiles.flatMap(importsOf).map(({ from }) => from)
    expect(seen).toContain('re2js')
    expect(seen.filter((from) => from.startsWith('.')).length).toBeGreaterThan(50)
  })

  it('every package is in the table', () => {
    expect(Object.keys(PACKAGES)).toEqual(expect.arrayContaining(packages))
  })

  it('packages import only the packages they may, by name', () => {
    const wrong = packages.flatMap((name) =>
      sourcesOf(`packages/${name}/src`)
        .flatMap(importsOf)
        .filter(({ file, from }) => {
          if (from.startsWith('@omen/')) return !PACKAGES[name]?.includes(from)
          const target = from.startsWith('.') ? relative(root, resolve(root, dirname(file), from)) : ''
          return target !== '' && !target.startsWith(join('packages', name, 'src'))
        }),
    )
    expect(wrong).toEqual([])
  })

  it('the engine imports no module of Node.js', () => {
    const wrong = engineFiles.flatMap(importsOf).filter(({ from }) => from.startsWith('node:'))
    expect(wrong).toEqual([])
  })

  it('inside the engine: scan, match, rules, terms, time', () => {
    const roomOf = (path: string) => ROOMS.indexOf(path.split('/')[3])
    const wrong = engineFiles.flatMap(importsOf).filter(({ file, from }) => {
      if (!from.startsWith('.')) return false
      const target = relative(root, resolve(root, dirname(file), from))
        .split(sep)
        .join('/')
      return roomOf(file) >= 0 && roomOf(target) < roomOf(file)
    })
    expect(wrong).toEqual([])
  })

  it('no room is without a subject', () => {
    const files = packages.flatMap((name) => sourcesOf(`packages/${name}/src`))
    expect(files.filter((file) => ROOMS_WITHOUT_A_SUBJECT.test(file))).toEqual([])
  })
})
