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

/**
 * The rooms of the tool, and the files that stand beside them, with what each may import; what is further down knows nothing of
 * what is further up. Libraries of others are loaded where they are used, and are not judged here.
 */
const CLI_ROOMS: Readonly<Record<string, readonly string[]>> = {
  'omen.ts': ['run.ts', 'kubernetes', 'command-line', 'command', 'console', 'failure.ts', 'version.ts'],
  'run.ts': [
    'session.ts',
    'scan',
    'kubernetes',
    'updates',
    'account',
    'templates',
    'rules',
    'settings',
    'command-line',
    'command',
  ],
  scan: [
    'session.ts',
    'updates',
    'threads',
    'matching',
    'follow',
    'rules',
    'output',
    'sources',
    'settings',
    'command',
    'console',
    'failure.ts',
  ],
  updates: [
    'session.ts',
    'account',
    'rules',
    'output',
    'network',
    'settings',
    'packaged',
    'command',
    'console',
    'failure.ts',
    'file-lock.ts',
    'make-folder.ts',
    'version.ts',
  ],
  account: [
    'session.ts',
    'output',
    'network',
    'settings',
    'packaged',
    'command',
    'console',
    'failure.ts',
    'file-lock.ts',
    'make-folder.ts',
    'version.ts',
  ],
  kubernetes: ['sources', 'settings', 'command-line', 'command', 'console', 'failure.ts'],
  threads: ['matching', 'packaged', 'sources'],
  matching: ['sources', 'console'],
  follow: ['output', 'sources', 'failure.ts', 'file-lock.ts'],
  templates: ['session.ts', 'rules', 'output', 'command', 'console', 'failure.ts', 'version.ts'],
  rules: ['session.ts', 'output', 'packaged', 'command', 'console', 'failure.ts', 'make-folder.ts', 'version.ts'],
  'session.ts': ['settings', 'command', 'console', 'failure.ts'],
  output: ['network', 'settings', 'console', 'failure.ts', 'version.ts'],
  network: ['failure.ts'],
  sources: ['settings', 'failure.ts'],
  settings: ['console', 'failure.ts', 'make-folder.ts'],
  packaged: ['make-folder.ts'],
  'command-line': ['command', 'failure.ts'],
  // What a command line can ask for: types that all verbs know, unlike the reading of command lines.
  command: [],
  console: ['failure.ts'],
  'failure.ts': [],
  'file-lock.ts': [],
  'make-folder.ts': [],
  'version.ts': [],
}

/** The same for the service. */
const SERVER_ROOMS: Readonly<Record<string, readonly string[]>> = {
  'omen-server.ts': ['main.ts', 'keep-ticks-fast.ts'],
  'main.ts': ['serve', 'operator', 'settings', 'problem.ts', 'failure.ts', 'version.ts'],
  serve: [
    'operator',
    'http',
    'administration',
    'catalogue',
    'releases',
    'devices',
    'sessions',
    'onboarding',
    'signin',
    'discovery',
    'keys',
    'settings',
    'store',
    'problem.ts',
    'failure.ts',
    'clock.ts',
  ],
  operator: [
    'administration',
    'releases',
    'sessions',
    'onboarding',
    'audit',
    'discovery',
    'keys',
    'settings',
    'store',
    'problem.ts',
    'failure.ts',
    'clock.ts',
  ],
  http: [
    'administration',
    'catalogue',
    'releases',
    'devices',
    'sessions',
    'onboarding',
    'signin',
    'settings',
    'store',
    'problem.ts',
    'clock.ts',
    'version.ts',
  ],
  administration: ['releases', 'sessions', 'onboarding', 'audit', 'signin', 'discovery', 'keys', 'store', 'problem.ts'],
  catalogue: ['releases', 'store'],
  devices: ['sessions', 'onboarding', 'audit', 'signin', 'store', 'problem.ts'],
  sessions: ['onboarding', 'audit', 'signin', 'discovery', 'keys', 'store', 'problem.ts', 'clock.ts'],
  releases: ['audit', 'store', 'problem.ts', 'clock.ts'],
  onboarding: ['audit', 'signin', 'discovery', 'keys', 'store', 'problem.ts', 'failure.ts', 'clock.ts'],
  audit: ['store'],
  signin: ['discovery', 'clock.ts'],
  discovery: ['problem.ts'],
  keys: ['problem.ts', 'failure.ts'],
  settings: ['failure.ts'],
  store: ['problem.ts', 'failure.ts', 'clock.ts'],
  'problem.ts': [],
  'failure.ts': [],
  'keep-ticks-fast.ts': [],
  'clock.ts': [],
  'version.ts': [],
}

/** The programs that are made of rooms, and their tables. */
const PROGRAMS = [
  { program: 'the tool', base: 'packages/cli/src', rooms: CLI_ROOMS },
  { program: 'the service', base: 'packages/server/src', rooms: SERVER_ROOMS },
]

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

/** The room of a file, given by its path in the sources of its program. */
function roomOf(path: string): string {
  if (/^command-line\/command\.[jt]s$/.test(path)) return 'command'
  return path.split('/')[0].replace(/\.js$/, '.ts')
}

/** The imports of a program from one room to another, as paths in its sources. */
function importsBetweenRooms(base: string): Import[] {
  const inSources = (path: string) => relative(base, path).split(sep).join('/')
  return sourcesOf(base)
    .flatMap(importsOf)
    .filter(({ from }) => from.startsWith('.'))
    .map(({ file, from }) => ({
      file: inSources(file),
      from: inSources(relative(root, resolve(root, dirname(file), from))),
    }))
    .filter(({ file, from }) => roomOf(file) !== roomOf(from))
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
    const depthOf = (path: string) => ROOMS.indexOf(path.split('/')[3])
    const wrong = engineFiles.flatMap(importsOf).filter(({ file, from }) => {
      if (!from.startsWith('.')) return false
      const target = relative(root, resolve(root, dirname(file), from))
        .split(sep)
        .join('/')
      return depthOf(file) >= 0 && depthOf(target) < depthOf(file)
    })
    expect(wrong).toEqual([])
  })

  it.each(PROGRAMS)('inside $program: as the table has it', ({ base, rooms }) => {
    const imports = importsBetweenRooms(base)
    expect(imports.length).toBeGreaterThan(100)
    const forbidden = imports.filter(({ file, from }) => !rooms[roomOf(file)]?.includes(roomOf(from)))
    const edges = forbidden.map(({ file, from }) => `${roomOf(file)} → ${roomOf(from)}`)
    expect([...new Set(edges)].sort(), JSON.stringify(forbidden, null, 1)).toEqual([])
  })

  it.each(PROGRAMS)('the table of $program has every room once, in order', ({ base, rooms }) => {
    const names = Object.keys(rooms)
    const found = sourcesOf(base).map((file) => roomOf(file.slice(base.length + 1)))
    expect([...new Set(found)].sort()).toEqual(names.toSorted())
    const upwards = names.filter((room, index) => rooms[room].some((other) => names.indexOf(other) <= index))
    expect(upwards).toEqual([])
  })

  it('no room is without a subject', () => {
    const files = packages.flatMap((name) => sourcesOf(`packages/${name}/src`))
    expect(files.filter((file) => ROOMS_WITHOUT_A_SUBJECT.test(file))).toEqual([])
  })
})
