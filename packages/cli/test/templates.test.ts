import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { useFolder } from './omen.js'

const folder = useFolder()
const root = fileURLToPath(new URL('../../..', import.meta.url))

const { version } = parse(readFileSync(`${root}/rules/package.yaml`, 'utf8')).content[0]

describe('omen -g', () => {
  it('writes a data source file that works with -s after its paths are set', () => {
    const name = `data-sources-${version}.yaml`
    expect(folder.omen(['-g'])).toEqual({ status: 0, out: `Wrote data source template to ${name}\n`, err: '' })
    folder.write('app.log', '2026-03-01T12:00:01Z FATAL:  sorry, too many clients already\n')
    const text = readFileSync(folder.path(name), 'utf8')
    folder.write('edited.yaml', text.replace(/path: .*/g, 'path: app.log'))
    const { status, out, err } = folder.omen(['-s', 'edited.yaml', '-o', ''])
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain('CRE-2026-10001 high [1 hits @ 2026-03-01T12:00:01Z]\n')
    expect(out).toContain('Reading postgresql done! ')
  })

  it('includes -r and rules.paths, and goes to standard output with -o -', () => {
    const rule = (id: string, source: string) =>
      `rules: [{ cre: { id: ${id} }, rule: { set: { event: { source: ${source} }, match: [${id}] } } }]\n`
    folder.write('given.yaml', rule('GIVEN-1', 'cre.log.given'))
    folder.write('config/own.yaml', rule('OWN-1', 'cre.log.own'))
    folder.write('config/config.yaml', 'rules: { paths: [own.yaml] }\n')
    const { out, err } = folder.omen(['-g', '-d', '-r', 'given.yaml', '-o', '-'])
    expect(err).toBe('')
    expect(parse(out).sources.map(({ type }: { type: string }) => type)).toEqual(['cre.log.given', 'cre.log.own'])
    folder.remove('config/config.yaml')
  })
})

describe('omen -j', () => {
  it('writes cronjob.yaml, another file, or standard output', () => {
    expect(folder.omen(['-j'])).toEqual({ status: 0, out: 'Cronjob template written to cronjob.yaml\n', err: '' })
    expect(folder.omen(['--cron', '-o', 'job.yaml']).out).toBe('Cronjob template written to job.yaml\n')
    const { out } = folder.omen(['-j', '-o', '-'])
    expect(out).toBe(readFileSync(folder.path('cronjob.yaml'), 'utf8'))
    expect(parseAllDocuments(out)).toHaveLength(4)
  })

  it('is generated for a namespace by kubectl omen', () => {
    const args = [`${root}/packages/cli/dist/kubectl-omen.js`, '-j', '-n', 'shop', '-o', '-']
    const out = execFileSync(process.execPath, args, { env: folder.environment(), encoding: 'utf8' })
    for (const document of parseAllDocuments(out)) expect(document.toJS().metadata.namespace).toBe('shop')
  })

  it('prints nothing with -q', () => {
    expect(folder.omen(['-j', '-q', '-o', 'quiet.yaml'])).toEqual({ status: 0, out: '', err: '' })
  })
})
