import { readFileSync } from 'node:fs'
import { compileRules } from '@omen/engine'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { firstRules, keepingScreen, useRules } from '../../test/rules-context.js'
import { writeFileAtomically } from '../output/write-file.js'
import { VERSION } from '../version.js'
import { type TemplateCommand, writeCronJob, writeDataSources } from './write-template.js'

const folder = useRules()

// The default names are relative: the tests run where they may be written.
let home = ''
beforeEach(({ task }) => {
  home = process.cwd()
  const own = `at-${task.id}`
  folder.write(`${own}/here`, '')
  process.chdir(folder.path(own))
})
afterEach(() => process.chdir(home))

async function run(write: typeof writeDataSources, command: Partial<TemplateCommand>, footer = '') {
  const { screen, take } = keepingScreen()
  const files = [...firstRules(), ...(footer ? [{ name: 'footer.yaml', bytes: Buffer.from(footer) }] : [])]
  const rules = () => compileRules(files)
  const context = { out: screen, rules, writeFile: writeFileAtomically }
  return { code: await write({ quiet: false, output: undefined, ...command }, context), out: take() }
}

describe('omen -g', () => {
  it('writes a file named after the version of the tool if the rules have none', async () => {
    const name = `data-sources-${VERSION}.yaml`
    expect(await run(writeDataSources, {})).toEqual({ code: 0, out: `Wrote data source template to ${name}\n` })
    expect(parse(readFileSync(name, 'utf8')).sources).toHaveLength(9)
  })

  it('writes a file named after the version of the rule package', async () => {
    const footer = 'section: version\ncontent: [{ version: 1.4.0 }]\n'
    expect((await run(writeDataSources, {}, footer)).out).toBe(
      'Wrote data source template to data-sources-1.4.0.yaml\n',
    )
  })

  it('writes the file of -o, and replaces an existing one', async () => {
    expect((await run(writeDataSources, { output: 'mine.yaml' })).out).toBe('Wrote data source template to mine.yaml\n')
    await writeFileAtomically('mine.yaml', ['edited'])
    await run(writeDataSources, { output: 'mine.yaml' })
    expect(readFileSync('mine.yaml', 'utf8')).toMatch(/^# Data sources for omen/)
  })

  it('does not replace an edited file, unless -o names it', async () => {
    const name = `data-sources-${VERSION}.yaml`
    await run(writeDataSources, {})
    expect((await run(writeDataSources, {})).code).toBe(0)
    await writeFileAtomically(name, ['edited'])
    await expect(run(writeDataSources, {})).rejects.toThrow(
      `${name} exists and differs: replace it with -o ${name}, or write another file`,
    )
    expect(readFileSync(name, 'utf8')).toBe('edited')
  })

  it('writes only the template to standard output with -o -', async () => {
    const { out } = await run(writeDataSources, { output: '-' })
    expect(parse(out).sources).toHaveLength(9)
    expect(out).not.toContain('Wrote')
  })

  it('prints nothing with -q, and rejects -o ""', async () => {
    expect((await run(writeDataSources, { quiet: true })).out).toBe('')
    await expect(run(writeDataSources, { output: '' })).rejects.toMatchObject({ kind: 'Usage' })
  })
})

describe('omen -j', () => {
  it('writes cronjob.yaml and prints its name', async () => {
    expect(await run(writeCronJob, {})).toEqual({ code: 0, out: 'Cronjob template written to cronjob.yaml\n' })
    expect(parseAllDocuments(readFileSync('cronjob.yaml', 'utf8'))).toHaveLength(4)
  })

  it('writes only the template to standard output with -o -', async () => {
    const { out } = await run(writeCronJob, { output: '-' })
    expect(parseAllDocuments(out)).toHaveLength(4)
    expect(out).not.toContain('template written')
  })

  it.each(['shop', '123'])('writes it for the namespace %s', async (namespace) => {
    const { out } = await run(writeCronJob, { output: '-', namespace })
    for (const document of parseAllDocuments(out)) expect(document.toJS().metadata.namespace).toBe(namespace)
  })

  it.each(['', 'Shop', 'shop: x', 'a\nb', 'shop-'])('refuses %j as the name of a namespace', async (namespace) => {
    await expect(run(writeCronJob, { output: '-', namespace })).rejects.toThrow('-n takes the name of a namespace')
  })
})
