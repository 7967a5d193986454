import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { LOG, RULES } from './example.js'
import { program, useFolder } from './omen.js'

const folder = useFolder()

beforeEach(() => {
  folder.write('rules.yaml', RULES)
  folder.write('app.log', LOG)
  // Its report is larger than the disk.
  folder.write('long.log', '2026-03-01T12:00:01Z disk full\n'.repeat(2000))
  folder.write('disk/.keep', '')
  folder.remove('report.json')
})

/**
 * Runs a shell script in which `disk` is a private disk of 64 kB, `fill` fills the rest of it, `omen` is the built tool, and `list`
 * prints the files on the disk.
 */
function onSmallDisk(script: string) {
  const omen = `omen() { "${process.execPath}" "${program}" "$@"; echo "exit $?" >&3; }`
  const fill = 'fill() { cat /dev/zero > disk/filler 2> /dev/null; }'
  // The files on the disk, with the start of their content.
  const list =
    'list() { (cd disk && find . -type f ! -name filler | sort | while read -r f; do echo "$f $(head -c 40 "$f" | tr -d "\\0")"; done) >&3; }'
  const mount = `mount -t tmpfs -o size=64k tmpfs disk || exit 99`
  const flags = process.getuid?.() === 0 ? '-m' : '-rm'
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    [flags, 'sh', '-c', `${mount}; ${omen}; ${fill}; ${list}; exec 3>&1; ${script}`],
    {
      cwd: folder.path('.'),
      env: folder.environment(),
    },
  )
  if (status === null || status === 99 || /^unshare: /.test(String(stderr))) {
    throw new Error(`A disk cannot be mounted here: run as root, or allow user namespaces. ${stderr}`)
  }
  return { out: stdout.toString().trimEnd().split('\n'), err: stderr.toString() }
}

const FULL = 'the disk is full; free some space, or choose another folder'
const STDOUT_FULL =
  'Output error: cannot write to standard output: no space left on the device; free some space, or write to another device\n'

describe('a report', () => {
  it('that does not fit leaves the old one unchanged, and no other file', () => {
    const script = 'echo old > disk/report.json; omen -d -r rules.yaml -q -o disk/report.json long.log; list'
    expect(onSmallDisk(script)).toEqual({
      out: ['exit 1', './report.json old'],
      err: `Output error: disk/report.json: ${FULL}\n`,
    })
  })

  it('with the default name that does not fit is an error after the summary', () => {
    const { out, err } = onSmallDisk('cd disk; omen -d -r ../rules.yaml ../long.log; cd ..; list')
    expect(out.slice(-2)).toEqual(['TEST-0001 medium [2000 hits @ 2026-03-01T12:00:01Z]', 'exit 1'])
    expect(err).toMatch(/^Output error: omen-report-\d+\.json: the disk is full; .*\n$/)
  })

  it('on standard output that does not fit is an error', () => {
    const script = 'omen -d -r rules.yaml -q -o - long.log > disk/report.json'
    expect(onSmallDisk(script)).toEqual({ out: ['exit 1'], err: STDOUT_FULL })
  })

  it('on another disk is written even if the summary does not fit on its disk', () => {
    const script = 'fill; omen -d -r rules.yaml -o report.json app.log > disk/summary'
    expect(onSmallDisk(script)).toEqual({ out: ['exit 1'], err: STDOUT_FULL })
    expect(JSON.parse(readFileSync(folder.path('report.json'), 'utf8'))).toHaveLength(2)
  })

  it('with more hits than fit in memory is complete even if the temporary disk is full', () => {
    const line = `2026-03-01T12:00:01Z disk full ${'x'.repeat(500_000)}\n`
    folder.write('wide.log', line.repeat(150))
    const script = 'fill; TMPDIR=disk omen -d -r rules.yaml -q -o report.json wide.log; list'
    expect(onSmallDisk(script)).toEqual({ out: ['exit 0'], err: '' })
    expect(JSON.parse(readFileSync(folder.path('report.json'), 'utf8'))[0].hits).toHaveLength(150)
  })
})

describe('a full disk', () => {
  it('of the configuration directory does not stop the scan, and leaves no partial file', () => {
    const script = 'fill; export OMEN_CONFIG_DIR=disk/config; omen -d -r rules.yaml -q -o report.json app.log; list'
    expect(onSmallDisk(script)).toEqual({ out: ['exit 0'], err: '' })
    expect(JSON.parse(readFileSync(folder.path('report.json'), 'utf8'))).toHaveLength(2)
  })

  it('does not remove an existing token', () => {
    const script = [
      'export OMEN_CONFIG_DIR=disk/config',
      'mkdir disk/config; echo token-of-this-installation > disk/config/.ruletoken; fill',
      'omen -d -r rules.yaml -q -o "" app.log; list',
    ].join('; ')
    expect(onSmallDisk(script).out).toEqual(['exit 0', './config/.ruletoken token-of-this-installation'])
  })

  it('is an error for a run with a state file, and the old state is kept', () => {
    const script = [
      'omen -d -r rules.yaml -q -o "" --state disk/state.json app.log',
      'cp disk/state.json before.json; fill',
      'echo "2026-03-01T12:00:05Z disk full" >> app.log',
      'omen -d -r rules.yaml -q -o "" --state disk/state.json app.log',
      'cmp disk/state.json before.json && echo same',
    ].join('; ')
    const { out, err } = onSmallDisk(script)
    expect(out).toEqual(['exit 0', 'exit 1', 'same'])
    expect(err).toMatch(/^State error: disk\/state\.json: the disk is full\b.*\n$/)
  })

  it.each([
    ['-g -o disk/sources.yaml', 'disk/sources.yaml: '],
    ['-j -o disk/cronjob.yaml', 'disk/cronjob.yaml: '],
    ['rules new TEST-9001 disk/rule', 'disk/rule/rule.yaml: '],
  ])('is an error for omen %s, which leaves no file', (line, name) => {
    const { out, err } = onSmallDisk(`fill; omen ${line}; list`)
    expect(out).toEqual(['exit 1'])
    expect(err).toMatch(/^Output error: \S+: the disk is full[^\n]*\n$/)
    expect(err).toContain(name)
  })

  it.each(['-g -o -', '-j -o -', '-v', '-h', 'config', 'rules list', 'explain CRE-2026-10001', 'completion zsh'])(
    'for standard output is an error of omen %s',
    (line) => {
      expect(onSmallDisk(`fill; omen ${line} > disk/printed`)).toEqual({ out: ['exit 1'], err: STDOUT_FULL })
    },
  )
})
