import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The entry points of the engine. */
const ENGINE = ['@omen/engine', '@omen/engine/messages', '@omen/engine/versions']

/** The packages of this repository that each package may import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  cli: ENGINE,
  server: ENGINE,
  web: [...ENGINE, '@omen/server/api'],
}

/** Subpaths without code, which can only be imported as types. */
const TYPES_ONLY = ['@omen/server/api']

/** The folders of the engine; each may import the folders after it. */
const ENGINE_FOLDERS = ['scan', 'match', 'rules', 'terms', 'time', 'messages']

/**
 * The folders and top-level files of the tool, each with those it may import. An entry may import only entries below it.
 * Imports of other packages' libraries are not checked here.
 */
const CLI_FOLDERS: Readonly<Record<string, readonly string[]>> = {
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
  follow: ['matching', 'output', 'sources', 'failure.ts', 'file-lock.ts'],
  matching: ['sources', 'console'],
  templates: ['session.ts', 'rules', 'output', 'command', 'console', 'failure.ts', 'version.ts'],
  rules: ['session.ts', 'output', 'packaged', 'command', 'console', 'failure.ts', 'make-folder.ts', 'version.ts'],
  'session.ts': ['settings', 'command', 'console', 'failure.ts'],
  output: ['network', 'settings', 'console', 'failure.ts', 'version.ts'],
  network: ['failure.ts'],
  sources: ['settings', 'failure.ts'],
  settings: ['console', 'failure.ts', 'make-folder.ts'],
  packaged: ['make-folder.ts'],
  'command-line': ['command', 'failure.ts'],
  // The types of a parsed command line, which all verbs use; parsing is in `command-line`.
  command: [],
  console: ['failure.ts'],
  'failure.ts': [],
  'file-lock.ts': [],
  'make-folder.ts': [],
  'version.ts': [],
}

/** The same for the service. */
const SERVER_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'api.ts': ['http', 'problem.ts'],
  'omen-server.ts': ['main.ts'],
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
    'organizations',
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
    'organizations',
    'audit',
    'signin',
    'settings',
    'store',
    'problem.ts',
    'clock.ts',
    'version.ts',
  ],
  administration: [
    'releases',
    'sessions',
    'organizations',
    'audit',
    'signin',
    'discovery',
    'keys',
    'store',
    'problem.ts',
    'clock.ts',
  ],
  catalogue: ['releases', 'store'],
  devices: ['sessions', 'audit', 'signin', 'store', 'problem.ts', 'clock.ts'],
  sessions: ['organizations', 'audit', 'signin', 'discovery', 'keys', 'store', 'problem.ts', 'clock.ts'],
  releases: ['audit', 'store', 'problem.ts', 'clock.ts'],
  onboarding: [
    'organizations',
    'audit',
    'signin',
    'discovery',
    'keys',
    'store',
    'problem.ts',
    'failure.ts',
    'clock.ts',
  ],
  organizations: ['signin', 'discovery', 'keys', 'store', 'problem.ts'],
  audit: ['store'],
  signin: ['discovery', 'clock.ts'],
  discovery: ['problem.ts'],
  keys: ['problem.ts', 'failure.ts'],
  settings: ['failure.ts'],
  store: ['problem.ts', 'failure.ts', 'clock.ts'],
  'problem.ts': [],
  'failure.ts': [],
  'clock.ts': [],
  'version.ts': [],
}

/** The same for the pages: the set-up page and the app do not know each other. */
const WEB_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  setup: ['controls', 'checks', 'api'],
  app: ['controls', 'checks', 'api'],
  controls: ['checks', 'api'],
  checks: [],
  api: [],
}

const PROGRAMS = [
  { program: 'the tool', base: 'packages/cli/src', folders: CLI_FOLDERS },
  { program: 'the service', base: 'packages/server/src', folders: SERVER_FOLDERS },
  { program: 'the pages', base: 'packages/web/src', folders: WEB_FOLDERS },
]

const NAMES_WITHOUT_A_SUBJECT = /(^|\/)(utils?|helpers?|common|misc|shared|types)(\/|\.tsx?$)/

interface Import {
  readonly file: string
  readonly from: string
  /** Whether the import is still there at run time, before the first line of the file runs. */
  readonly byValue: boolean
}

function sourcesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

const STATEMENT = /^\s*(?:import|export)\s+(type\s)?(?:(?!^\s*(?:import|export)\b)[^'"`;])*?from\s*['"]([^'"]+)['"]/gm
const SIDE_EFFECT = /^import\s*['"]([^'"]+)['"]/gm
const LAZY = /import\(\s*['"]([^'"]+)['"]\s*\)/g

function importsOf(file: string): Import[] {
  const source = readFileSync(join(root, file), 'utf8')
  return [
    ...[...source.matchAll(STATEMENT)].map(([, type, from]) => ({ file, from, byValue: type === undefined })),
    ...[...source.matchAll(SIDE_EFFECT)].map(([, from]) => ({ file, from, byValue: true })),
    ...[...source.matchAll(LAZY)].map(([, from]) => ({ file, from, byValue: false })),
  ]
}

/** The path that a relative import of a source file names, in the repository, without its extension. */
function targetOf({ file, from }: Import): string {
  return relative(root, resolve(root, dirname(file), from))
    .split(sep)
    .join('/')
    .replace(/\.js$/, '')
}

/** Groups of files that import each other by value: Tarjan's strongly connected components of more than one file. */
function importCycles(files: readonly string[]): string[][] {
  const byPath = new Map(files.map((file) => [file.replace(/\.tsx?$/, ''), file]))
  const importedBy = (file: string) =>
    importsOf(file)
      .filter(({ from, byValue }) => byValue && from.startsWith('.'))
      .flatMap((found) => byPath.get(targetOf(found)) ?? [])
  const order = new Map<string, number>()
  const path: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): number => {
    const own = order.size
    order.set(file, own)
    const depth = path.push(file) - 1
    let lowest = own
    for (const next of importedBy(file)) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next))
      else if (path.includes(next)) lowest = Math.min(lowest, order.get(next) as number)
    }
    if (lowest === own) {
      const cycle = path.splice(depth)
      if (cycle.length > 1) cycles.push(cycle.sort())
    }
    return lowest
  }
  for (const file of files) if (!order.has(file)) visit(file)
  return cycles
}

/** The folder or top-level file that a path in the sources of a program belongs to. */
function folderOf(path: string): string {
  if (/^command-line\/command\.[jt]s$/.test(path)) return 'command'
  return path.split('/')[0].replace(/\.js$/, '.ts')
}

/** The imports of a program from one folder to another, as paths in its sources. */
function importsBetweenFolders(base: string): Pick<Import, 'file' | 'from'>[] {
  const inSources = (path: string) => relative(base, path).split(sep).join('/')
  return sourcesOf(base)
    .flatMap(importsOf)
    .filter(({ from }) => from.startsWith('.'))
    .map(({ file, from }) => ({
      file: inSources(file),
      from: inSources(relative(root, resolve(root, dirname(file), from))),
    }))
    .filter(({ file, from }) => folderOf(file) !== folderOf(from))
}

const packages = readdirSync(join(root, 'packages'))
const engineFiles = sourcesOf('packages/engine/src')
const allFiles = packages.flatMap((name) => sourcesOf(`packages/${name}/src`))

describe('dependencies point one way', () => {
  it('the test reads the imports of a file', () => {
    const seen = engineFiles.flatMap(importsOf).map(({ from }) => from)
    expect(seen).toContain('yaml')
    expect(seen.filter((from) => from.startsWith('.')).length).toBeGreaterThan(50)
  })

  it('every package is in the table', () => {
    expect(Object.keys(PACKAGES)).toEqual(expect.arrayContaining(packages))
  })

  it('packages import only the packages they may, by name', () => {
    const wrong = packages.flatMap((name) =>
      sourcesOf(`packages/${name}/src`)
        .flatMap(importsOf)
        .filter(({ file, from, byValue }) => {
          if (TYPES_ONLY.includes(from) && byValue) return true
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

  it('inside the engine, scan imports match, rules, terms, time and messages, and never the other way', () => {
    const depthOf = (path: string) => ENGINE_FOLDERS.indexOf(path.split('/')[3])
    const wrong = engineFiles.flatMap(importsOf).filter(({ file, from }) => {
      if (!from.startsWith('.')) return false
      const target = relative(root, resolve(root, dirname(file), from))
        .split(sep)
        .join('/')
      return depthOf(file) >= 0 && depthOf(target) < depthOf(file)
    })
    expect(wrong).toEqual([])
  })

  it.each(PROGRAMS)(
    'inside $program, a folder imports only the folders in its row of the table',
    ({ base, folders }) => {
      const imports = importsBetweenFolders(base)
      expect(imports.length).toBeGreaterThan(50)
      const forbidden = imports.filter(({ file, from }) => !folders[folderOf(file)]?.includes(folderOf(from)))
      const edges = forbidden.map(({ file, from }) => `${folderOf(file)} → ${folderOf(from)}`)
      expect([...new Set(edges)].sort(), JSON.stringify(forbidden, null, 1)).toEqual([])
    },
  )

  it.each(PROGRAMS)('the table of $program has every folder, and no row names one above it', ({ base, folders }) => {
    const names = Object.keys(folders)
    const found = sourcesOf(base).map((file) => folderOf(file.slice(base.length + 1)))
    expect([...new Set(found)].sort()).toEqual(names.toSorted())
    const upwards = names.filter((folder, index) => folders[folder].some((other) => names.indexOf(other) <= index))
    expect(upwards).toEqual([])
  })

  it('no two files import each other by value, directly or through others', () => {
    expect(importCycles(allFiles)).toEqual([])
  })

  it('no folder or file is named utils, helpers, common, misc, shared or types', () => {
    expect(allFiles.filter((file) => NAMES_WITHOUT_A_SUBJECT.test(file))).toEqual([])
  })
})
