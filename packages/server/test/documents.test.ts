import '@fastify/swagger'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { AUDIT_ACTIONS } from '../src/audit/audit.js'
import { createMetrics } from '../src/http/observing/metrics.js'
import { APP_PATHS } from '../src/http/routes/web-routes.js'
import { createProgram } from '../src/operator/program.js'
import { PROBLEMS } from '../src/problem.js'
import { SCOPES } from '../src/releases/token.js'
import { CONFIG_FLAG, OTHER_VARIABLES, SETTING_KEYS, SETTINGS } from '../src/settings/setting-table.js'
import { startApp } from './http/app-under-test.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const readPage = (path: string) => readFileSync(join(root, path), 'utf8')

/** The rows of the table with these headings, without backquotes. */
function rowsUnder(page: string, headings: readonly string[]): string[][] {
  const rows: string[][] = []
  let isInTable = false
  for (const line of page.split('\n')) {
    const cells = line.startsWith('|') ? cellsOf(line) : undefined
    if (cells === undefined) isInTable = false
    else if (cells.join() === headings.join()) isInTable = true
    else if (isInTable && !/^-+$/.test(cells[0]!)) rows.push(cells)
  }
  return rows
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('`', ''))
}

describe('docs/operating.md', () => {
  const page = readPage('docs/operating.md')
  const settings = rowsUnder(page, ['in the file', 'flag', 'environment', 'default', 'what it is'])

  test('has every setting with its flag, variable, default and description, and no other', () => {
    const inCode = SETTING_KEYS.map((key) => {
      const { flag, argument, environment, default: standard, about } = SETTINGS[key]
      const written = flag === undefined ? 'none: it would show the password' : flag
      return [key, argument === undefined ? written : `${written} <${argument}>`, environment, standard, about]
    })
    expect(settings.filter(([name]) => name !== '')).toEqual(inCode)
  })

  test('has every variable that is not a setting', () => {
    const variables = settings.filter(([name]) => name === '').map(([, , variable]) => variable)
    // The configuration directory belongs to the tool.
    expect(variables).toEqual(OTHER_VARIABLES.filter((name) => name !== 'OMEN_CONFIG_DIR'))
    expect(settings.find(([, , variable]) => variable === CONFIG_FLAG.environment)?.[1]).toBe(
      `${CONFIG_FLAG.flag} <${CONFIG_FLAG.argument}>`,
    )
  })

  test('has every metric of the service, and no other', async () => {
    const metrics = createMetrics()
    metrics.watchPool(() => ({ total: 0, idle: 0, waiting: 0 }))
    const names = [...(await metrics.text()).matchAll(/^# TYPE (omen_\w+) /gm)].map(([, name]) => name)
    const documented = rowsUnder(page, ['metric', 'meaning']).map(([name]) => name)
    expect(documented.filter((name) => name?.startsWith('omen_')).sort()).toEqual(names.sort())
  })

  test('has every command with its effect, and none that does not exist', () => {
    const program = createProgram({ run: async () => {}, out: () => {}, error: () => {}, exampleDate: '2026-12-31' })
    const inCode = leavesOf(program, ['omen-server']).map(({ args, command }) => {
      const operands = command.registeredArguments.map((argument) => `<${argument.name()}>`)
      return [[...args, ...operands].join(' '), command.description()]
    })
    expect(rowsUnder(page, ['command', 'effect'])).toEqual(inCode)
  })

  test('shows only commands and flags that exist', () => {
    const program = createProgram({ run: async () => {}, out: () => {}, error: () => {}, exampleDate: '2026-12-31' })
    const flags = new Set(
      allCommands(program).flatMap(({ options }) => options.flatMap(({ long, short }) => [long, short])),
    )
    const shown = [...page.matchAll(/omen-server (?:[^`\n|]*? )?(--[a-z-]+)/g)].map(([, flag]) => flag!)
    expect(shown.filter((flag) => !flags.has(flag) && flag !== '--help')).toEqual([])
  })
})

function leavesOf(command: Command, args: readonly string[]): { args: readonly string[]; command: Command }[] {
  if (command.commands.length === 0) return [{ args, command }]
  return command.commands.flatMap((child) => leavesOf(child, [...args, child.name()]))
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)]
}

describe('docs/onboarding.md', () => {
  test('has every problem code with its status, and no other', () => {
    const documented = rowsUnder(readPage('docs/onboarding.md'), ['code', 'status', 'what to do'])
    const inCode = Object.entries(PROBLEMS).map(([code, { status }]) => [code, String(status)])
    expect(documented.map(([code, status]) => [code, status]).sort()).toEqual(inCode.sort())
    for (const [code, , advice] of documented)
      expect({ code, isEmpty: advice === '' }).toEqual({ code, isEmpty: false })
  })
})

/** The texts of the set-up page about an identity provider that the documentation repeats. */
interface ProviderGuide {
  readonly id: string
  readonly name: string
  readonly console: { readonly name: string }
  readonly placeholders: readonly { readonly name: string; readonly label: string }[]
  readonly template?: string
  readonly screens: readonly {
    readonly path: readonly string[]
    readonly settings: readonly { readonly label: string }[]
  }[]
  readonly credentials: { readonly path: readonly string[] }
}

// The pages are another package with other types: it is loaded at run time.
const guides = new URL('../../web/src/setup/providers/providers.ts', import.meta.url).href
const loaded = (await import(guides)) as { readonly PROVIDERS: readonly ProviderGuide[] }
// The documentation has plain quotation marks.
const PROVIDERS = JSON.parse(JSON.stringify(loaded.PROVIDERS).replaceAll('’', "'")) as readonly ProviderGuide[]

describe('docs/providers', () => {
  test('has a page for each identity provider of the set-up page, and docs/onboarding.md links to them', () => {
    const pages = readdirSync(join(root, 'docs/providers')).sort()
    expect(pages).toEqual(PROVIDERS.map(({ id }) => `${id}.md`).sort())
    const onboarding = readPage('docs/onboarding.md').replaceAll('\n', ' ')
    for (const { id, name } of PROVIDERS.filter((guide) => guide.id !== 'other')) {
      expect(onboarding).toContain(`[${name}](providers/${id}.md)`)
    }
  })

  test.each(PROVIDERS)('$id says what the set-up page says', (guide) => {
    const page = readPage(`docs/providers/${guide.id}.md`)
    // Lines may be broken at any space.
    const text = page.replaceAll(/\s+/g, ' ')
    if (guide.id !== 'other') expect(page).toMatch(new RegExp(`^# ${guide.name}`))
    if (guide.template !== undefined) expect(page).toContain(`\`\`\`text\n${guide.template}\n\`\`\``)
    for (const { name, label } of guide.placeholders) expect(text).toContain(`\`{${name}}\`: ${label}`)
    const screens = guide.screens.map(({ path }) => path.join(' → '))
    const headings = [...page.matchAll(/^\d+\. ([\s\S]*?)(?=\n {3}- |\n\n|\n\d+\. )/gm)].map(([, path]) =>
      path!.replaceAll(/\s+/g, ' '),
    )
    if (guide.screens.length > 0) expect(headings).toEqual(screens)
    const labels = [...page.matchAll(/^ {3}- \*\*(.+?)\*\*:/gm)].map(([, label]) => label)
    expect(labels).toEqual(guide.screens.flatMap(({ settings }) => settings.map(({ label }) => label)))
    expect(text).toContain(guide.credentials.path.join(' → '))
  })
})

describe('docs/administration.md', () => {
  const page = readPage('docs/administration.md')

  test('has every request about an organization, and no other', async () => {
    const { app } = await startApp()
    const { paths } = app.swagger() as unknown as { readonly paths: Readonly<Record<string, object>> }
    const inCode = Object.entries(paths)
      .filter(([path]) => path.startsWith('/v1/org'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
      .map((line) => line.replaceAll('{', '<').replaceAll('}', '>'))
    expect(
      rowsUnder(page, ['call', 'what it does'])
        .map(([call]) => call)
        .sort(),
    ).toEqual(inCode.sort())
  })

  test('has every scope, and every audit action that an organization can read', () => {
    expect(rowsUnder(page, ['scope', 'what a machine may do with it']).map(([scope]) => scope)).toEqual([...SCOPES])
    const documented = rowsUnder(page, ['action', 'what was done']).flatMap(([names]) => names!.split(', '))
    // Keys and the tool do not belong to an organization.
    expect(documented.sort()).toEqual(AUDIT_ACTIONS.filter((action) => !/^(keys|tool)\./.test(action)).sort())
  })
})

// The same for the addresses of the app.
const routes = new URL('../../web/src/app/routes.ts', import.meta.url).href
const { ROUTES } = (await import(routes)) as {
  readonly ROUTES: Readonly<Record<string, { path: string; for: string }>>
}

describe('the addresses of the app', () => {
  const pages = Object.values(ROUTES)

  test('are all served', () => {
    const paths = pages.map(({ path }) => path)
    expect(['/', ...APP_PATHS].filter((path) => path !== '/organization').sort()).toEqual(paths.sort())
  })

  test('are in docs/app.md, with their users', () => {
    const documented = rowsUnder(readPage('docs/app.md'), ['address', 'what is there', 'for'])
    const inCode = pages.map(({ path, for: whom }) => [path.replace(':id', '<id>'), whom])
    expect(documented.map(([path, , whom]) => [path, whom])).toEqual(inCode)
  })
})

describe('docs/sign-in.md', () => {
  test('has every reason why a sign-in fails, and no other', () => {
    const source = readPage('packages/server/src/signin/sign-in-failure.ts')
    const codes = [...source.matchAll(/^ {2}\| '(\w+)'$/gm)].map(([, code]) => code!)
    const documented = rowsUnder(readPage('docs/sign-in.md'), ['reason', 'what to do']).flatMap(([names]) =>
      names!.split(', '),
    )
    expect(codes.length).toBeGreaterThan(20)
    expect(documented.sort()).toEqual(codes.sort())
  })
})
