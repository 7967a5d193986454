import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder = ''
let replacePositions: () => Plugin
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'omen-test-'))
  const script = new URL('../../scripts/positions.mjs', import.meta.url).href
  ;({ replacePositions } = (await import(script)) as { replacePositions: () => Plugin })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function bundle(source: string): Promise<string> {
  const input = join(folder, 'load-rules.ts')
  writeFileSync(input, source)
  const build = await rolldown({ input, external: /log\.js$/, plugins: [replacePositions()], treeshake: false })
  const { output } = await build.generate({ format: 'esm' })
  return output[0].code
}

it('a call of here() is replaced by the file and line of the TypeScript source', async () => {
  const code = await bundle(`import { createLog, here } from '../console/log.js'

interface Nothing {
  readonly a: string
}
export const log = createLog()
log.info(here(), 'a'); log.info(here(), 'b')
export function load(b: Nothing): void {
  log.debug(here(), 'here()', () => ({ place: here(
  ), after: here() }))
  // here() in a comment
}
`)
  expect(code.match(/"load-rules\.ts:\d+"/g)).toEqual([7, 7, 9, 9, 10].map((line) => `"load-rules.ts:${line}"`))
  expect(code).toMatch(/['"]here\(\)['"]/)
})

it('another function named here is not replaced', async () => {
  const code = await bundle('const here = () => 5\nexport const place = here()\n')
  expect(code).toContain('here()')
})

it('a renamed import of here is replaced', async () => {
  const code = await bundle("import { here as place } from '../console/log.js'\nexport const at = place()\n")
  expect(code).toContain('"load-rules.ts:2"')
})
