import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const COPIES = /^COPY --from=build \/src\/(\S+) (\S+)$/gm

/** The files that the image copies from the build, and their targets. */
const copies = [...readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').matchAll(COPIES)].map(([, from, to]) => ({
  from: from!,
  to: to!,
}))

let image = ''
beforeAll(() => {
  image = mkdtempSync(join(tmpdir(), 'omen-image-'))
  for (const { from, to } of copies) {
    if (from === 'node_modules') linkLibraries(join(image, to))
    else if (to.endsWith('/')) cpSync(join(root, from), join(image, to, from), { recursive: true })
    else cpSync(join(root, from), join(image, to), { recursive: true, verbatimSymlinks: true })
  }
})
afterAll(() => rmSync(image, { recursive: true, force: true }))

/** Dependencies are linked to the checkout; packages of this repository are links into the image, as npm makes them. */
function linkLibraries(folder: string): void {
  mkdirSync(join(folder, '@omen'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@omen') symlinkSync(join(root, 'node_modules', name), join(folder, name))
  }
  for (const name of ['engine', 'server', 'web']) {
    symlinkSync(`../../packages/${name}`, join(folder, '@omen', name))
  }
}

function run(...args: string[]): string {
  const program = join(image, 'packages/server/dist/omen-server.js')
  return execFileSync(process.execPath, [program, ...args], { cwd: image, encoding: 'utf8' })
}

describe('what the image copies', () => {
  test('is sufficient to pack rules, which needs the engine', () => {
    expect(copies.length).toBeGreaterThan(3)
    const { rules } = JSON.parse(run('rules', 'pack', join(root, 'rules'), '--out', join(image, 'packed'), '--json'))
    expect(rules).toBeGreaterThan(100)
  })

  test('has the pages, and the rules of the catalogue', () => {
    for (const page of ['index.html', 'app.html']) expect(existsSync(join(image, 'packages/web/dist', page))).toBe(true)
    const text = gunzipSync(readFileSync(join(image, 'packages/server/dist/rules.yaml.gz'))).toString()
    expect(text.split('\n  - cre:\n').length).toBeGreaterThan(100)
  })

  test('has the schema of rule documents', () => {
    const served = join(image, 'packages/server/dist/rule.schema.json')
    expect(readFileSync(served, 'utf8')).toBe(readFileSync(join(root, 'rules/rule.schema.json'), 'utf8'))
  })
})
