import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Failure } from '../failure.js'
import { checkOutput, planOutput, reportFileFor } from './output-plan.js'

const now = new Date(1_772_366_403_999)
const unnamed = { kind: 'default', epochSeconds: 1_772_366_403 }
const none = { kind: 'none' }

describe('the value of -o', () => {
  test.each([
    { output: undefined, report: unnamed },
    { output: '', report: none },
    { output: '-', report: { kind: 'stdout' } },
    { output: 'report.json', report: { kind: 'file', path: 'report.json' } },
    { output: 'a b: c.json', report: { kind: 'file', path: 'a b: c.json' } },
    { output: ' -', report: { kind: 'file', path: ' -' } },
    { output: '--', report: { kind: 'file', path: '--' } },
    { output: '/dev/stdout', report: { kind: 'file', path: '/dev/stdout' } },
  ])('$output has the same meaning with and without a notification', ({ output, report }) => {
    const plan = { report, prefix: '', rescue: none }
    expect(planOutput(output, false, now)).toEqual(plan)
    expect(planOutput(output, true, now)).toEqual(plan)
  })

  test.each(['nightly: ', 'nightly:', 'nightly ', 'nightly:\t', ' ', ':'])('%j labels the notification', (output) => {
    expect(planOutput(output, true, now)).toEqual({ report: none, prefix: output, rescue: unnamed })
  })

  test.each(['nightly: ', 'nightly:', ' '])('%j without a notification is the default file', (output) => {
    expect(planOutput(output, false, now)).toEqual({ report: unnamed, prefix: '', rescue: none })
  })

  test('the default file is named after the time in seconds', () => {
    expect(reportFileFor(1_772_366_403)).toBe('omen-report-1772366403.json')
    expect(reportFileFor(1_772_366_403, 2)).toBe('omen-report-1772366405.json')
  })
})

describe('a report file is checked before the scan', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'omen-output-'))
    mkdirSync(join(folder, 'there'))
    writeFileSync(join(folder, 'file'), '')
    symlinkSync('nowhere/report.json', join(folder, 'dangling'))
    symlinkSync('loop', join(folder, 'loop'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const check = (name: string) => () => checkOutput({ kind: 'file', path: join(folder, name) })

  test.each(['new.json', 'file', 'there/new.json'])('%s can be written', (name) => {
    expect(check(name)).not.toThrow()
  })

  test.each([
    { name: 'there', message: 'is a directory; give a file name' },
    { name: 'missing/', message: 'is a directory; give a file name' },
    { name: 'missing/report.json', message: 'missing does not exist; create it or choose another name' },
    { name: 'file/report.json', message: 'part of the path is not a folder' },
    { name: 'dangling', message: 'nowhere does not exist; create it or choose another name' },
    { name: 'loop', message: 'too many symbolic links; choose another name' },
    { name: `${'x'.repeat(300)}.json`, message: 'the name is too long; choose a shorter one' },
  ])('rejects $name', ({ name, message }) => {
    expect(check(name)).toThrow(Failure)
    expect(check(name)).toThrow(message)
  })

  test('an input file is rejected under any name', () => {
    const output = { kind: 'file', path: join(folder, 'file') } as const
    symlinkSync('file', join(folder, 'log'))
    const inputs = (name: string) => ['-', '/no/such/file', join(folder, name)]
    for (const name of ['file', 'there/../file', 'log']) {
      expect(() => checkOutput(output, inputs(name))).toThrow('file: is one of the files to read; choose another name')
    }
    expect(() => checkOutput(output, inputs('there'))).not.toThrow()
    expect(() => checkOutput({ kind: 'file', path: '/dev/null' }, ['/dev/null'])).not.toThrow()
  })

  test('a trailing slash is a directory', () => {
    expect(() => checkOutput({ kind: 'file', path: `${folder}/new/` })).toThrow('is a directory')
  })

  test('devices, standard output and other targets need no writable folder', () => {
    for (const path of ['/dev/null', '/dev/stdout']) checkOutput({ kind: 'file', path })
    for (const target of [planOutput('-', false, now), planOutput('', false, now), planOutput(undefined, false, now)]) {
      checkOutput(target.report)
    }
  })

  test('a folder and a file without write permission are rejected, except for root', () => {
    mkdirSync(join(folder, 'locked'))
    writeFileSync(join(folder, 'protected'), '')
    chmodSync(join(folder, 'locked'), 0o555)
    chmodSync(join(folder, 'protected'), 0o444)
    if (process.getuid?.() === 0) {
      expect(check('locked/report.json')).not.toThrow()
      expect(check('protected')).not.toThrow()
    } else {
      expect(check('locked/report.json')).toThrow('no permission to create files in')
      expect(check('protected')).toThrow('permission denied')
    }
    chmodSync(join(folder, 'locked'), 0o755)
  })
})
