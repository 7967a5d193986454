import { SEVERITY_LABELS } from '@omen/engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure } from '../failure.js'
import { SEVERITIES } from './flags.js'
import { topicsOf } from './program.js'
import { readCommandLine } from './read-command-line.js'
import { OMEN } from './verbs.js'

const now = new Date('2026-03-05T12:00:00Z')
const EXISTING = new Set(['app.log', 'rules', 'confg', 'scan'])

function read(...argv: readonly string[]) {
  return readCommandLine(argv, { now, exists: (path) => EXISTING.has(path) })
}

/** The message and hint of the failure that a wrong command line causes. */
async function failureOf(...argv: readonly string[]): Promise<string> {
  const failure = await read(...argv).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(Failure)
  expect((failure as Failure).exitCode).toBe(2)
  const { message, hint } = failure as Failure
  return `${message}\n${hint}`
}

const COMMON = { quiet: false, level: undefined, disabled: false, rules: [], output: undefined, acceptUpdates: false }
const SCAN = {
  ...COMMON,
  verb: 'scan',
  paths: [],
  dataSources: [],
  since: undefined,
  logZone: undefined,
  until: undefined,
  follow: false,
  state: undefined,
  failOn: undefined,
  strict: false,
  allowEmpty: false,
  threads: undefined,
}

describe('a scan', () => {
  it('is the default without arguments', async () => {
    expect(await read()).toEqual(SCAN)
  })

  const LINES: readonly (readonly [argv: readonly string[], fields: object])[] = [
    [['app.log', '-', 'b.gz'], { paths: ['app.log', '-', 'b.gz'] }],
    [['-d', '-q', '-y', '-f'], { disabled: true, quiet: true, acceptUpdates: true, follow: true }],
    [
      ['--disabled', '--quiet', '--accept-updates', '--follow'],
      { disabled: true, quiet: true, acceptUpdates: true, follow: true },
    ],
    [['-dqyf', 'app.log'], { disabled: true, quiet: true, acceptUpdates: true, follow: true, paths: ['app.log'] }],
    [['-r', 'a.yaml', '--rules', 'b', '--rules=c', '-rd'], { rules: ['a.yaml', 'b', 'c', 'd'] }],
    [['-s', 'a.yaml', '--source', 'b', '--source=c'], { dataSources: ['a.yaml', 'b', 'c'] }],
    [['-l', 'trace'], { level: 'trace' }],
    [['--level=warn'], { level: 'warn' }],
    [['--state', 'x.state'], { state: 'x.state' }],
    [['--threads', '64'], { threads: 64 }],
    [['--threads=1'], { threads: 1 }],
    [['--fail-on', 'critical'], { failOn: 0 }],
    [['--fail-on', 'info'], { failOn: 4 }],
    [['--fail-on', '2'], { failOn: 2 }],
    [['--strict', '--allow-empty'], { strict: true, allowEmpty: true }],
    [['--log-tz', 'local'], { logZone: 'local' }],
    [['--log-tz', '-05:00'], { logZone: '-05:00' }],
    [['--log-tz=Asia/Kathmandu'], { logZone: 'Asia/Kathmandu' }],
    [['--since', '10m'], { since: BigInt(now.getTime() - 600_000) * 1_000_000n }],
    [['--until', '2026-03-05T11:00:00Z'], { until: 1_772_708_400_000_000_000n }],
    [['app.log', '-q', 'b.log', '-q'], { paths: ['app.log', 'b.log'], quiet: true }],
  ]
  it.each(LINES)('is read from %j', async (argv, fields) => {
    expect(await read(...argv)).toEqual({ ...SCAN, ...fields })
  })
})

describe('-o', () => {
  it.each([
    [['-o', 'report.json'], 'report.json'],
    [['--name', 'report.json'], 'report.json'],
    [['--name=report.json'], 'report.json'],
    [['-oreport.json'], 'report.json'],
    [['-o=report.json'], 'report.json'],
    [['-o==x'], '=x'],
    [['-o', '=x'], '=x'],
    [['--name==x'], '=x'],
    [['-o', '-'], '-'],
    [['-o-'], '-'],
    [['--name=-'], '-'],
    [['-o', ''], ''],
    [['-o='], ''],
    [['--name='], ''],
    [['-o', 'nightly job: '], 'nightly job: '],
    [['--name=-q'], '-q'],
    [['-o-q'], '-q'],
    [['-o', '-1'], '-1'],
    [['-o', '- job: '], '- job: '],
    [[], undefined],
  ])('in %j has the value %j', async (argv, output) => {
    expect(await read(...argv)).toEqual({ ...SCAN, output })
  })

  it('can be combined with other short flags', async () => {
    expect(await read('-qo-', 'app.log')).toEqual({ ...SCAN, quiet: true, output: '-', paths: ['app.log'] })
    expect(await read('-qo', 'x', 'app.log')).toEqual({ ...SCAN, quiet: true, output: 'x', paths: ['app.log'] })
  })

  it.each(['-q', '--quiet', '-x', '--'])('does not take the flag %s as its value', async (next) => {
    expect(await failureOf('-o', next)).toContain(`-o needs a value, and ${next} looks like a flag`)
    expect(await failureOf('-o', next)).toContain(`--name=${next}`)
  })
})

describe('verbs', () => {
  const LINES: readonly (readonly [argv: readonly string[], command: object])[] = [
    [['explain', 'CRE-2026-10001', '7'], { ...COMMON, verb: 'explain', ids: ['CRE-2026-10001', '7'], json: false }],
    [['-r', 'x', 'explain', '--json', '7'], { ...COMMON, verb: 'explain', ids: ['7'], json: true, rules: ['x'] }],
    [
      ['rules', 'list'],
      { ...COMMON, verb: 'rules', action: 'list', operands: [], json: false, ids: false, strict: false },
    ],
    [
      ['rules', '-q', 'list', 'a', '--ids'],
      { ...COMMON, verb: 'rules', action: 'list', operands: ['a'], json: false, ids: true, strict: false, quiet: true },
    ],
    [
      ['rules', 'show', 'A-1'],
      { ...COMMON, verb: 'rules', action: 'show', operands: ['A-1'], json: false, ids: false, strict: false },
    ],
    [
      ['rules', 'lint', '--json', '.'],
      { ...COMMON, verb: 'rules', action: 'lint', operands: ['.'], json: true, ids: false, strict: false },
    ],
    [
      ['rules', 'test'],
      { ...COMMON, verb: 'rules', action: 'test', operands: [], json: false, ids: false, strict: false },
    ],
    [
      ['rules', 'new', 'A-1', 'dir'],
      { ...COMMON, verb: 'rules', action: 'new', operands: ['A-1', 'dir'], json: false, ids: false, strict: false },
    ],
    [['config', '-d', '-s', 'x'], { ...COMMON, verb: 'config', json: false, dataSources: ['x'], disabled: true }],
    [['completion', 'zsh'], { verb: 'completion', shell: 'zsh' }],
    [['help'], { verb: 'help', topic: [] }],
    [['help', 'rules', 'lint'], { verb: 'help', topic: ['rules', 'lint'] }],
    [['rules', 'help'], { verb: 'help', topic: ['rules'] }],
    [['version'], { verb: 'version' }],
    [['-g'], { ...COMMON, verb: 'generate' }],
    [['--generate', '-r', 'x', '-o', '-'], { ...COMMON, verb: 'generate', rules: ['x'], output: '-' }],
    [['-j', '-qo-'], { ...COMMON, verb: 'cron', quiet: true, output: '-' }],
    [['--cron', '-y'], { ...COMMON, verb: 'cron', acceptUpdates: true }],
  ]
  it.each(LINES)('are read from %j', async (argv, command) => {
    expect(await read(...argv)).toEqual(command)
  })

  it('are recognised only as the first operand, and not after --', async () => {
    expect(await read('app.log', 'rules')).toEqual({ ...SCAN, paths: ['app.log', 'rules'] })
    expect(await read('--', 'rules', '-q')).toEqual({ ...SCAN, paths: ['rules', '-q'] })
    expect(await read('./rules')).toEqual({ ...SCAN, paths: ['./rules'] })
    expect(await read('-q', '--', 'help')).toEqual({ ...SCAN, quiet: true, paths: ['help'] })
    expect(await read('rules', 'lint', '--', '-x')).toMatchObject({ action: 'lint', operands: ['-x'] })
  })

  it('take precedence over a path with the same name', async () => {
    await expect(failureOf('rules')).resolves.toContain('omen rules needs one of list, show, lint, test, new or schema')
  })

  it.each([
    ['explian', 'omen explain <id>…'],
    ['rulse', 'omen rules'],
    ['Config', 'omen config'],
    ['lint', 'omen rules lint [path]…'],
    ['describe', 'omen explain <id>…'],
    ['run', 'omen [path]…'],
  ])('are suggested for %s if no such path exists', async (word, meant) => {
    expect(await failureOf(word)).toBe(`there is no verb or path "${word}". Did you mean ${meant}?\nTry: omen --help`)
  })

  it.each(['confg', 'scan', 'missing.log', 'explian.log', './explian', 'xyzzy'])(
    'are not suggested for the path %s',
    async (word) => {
      expect(await read(word)).toEqual({ ...SCAN, paths: [word] })
    },
  )

  it('suggest the nearest action of a group', async () => {
    expect(await failureOf('rules', 'lst')).toContain('omen rules has no "lst". Did you mean omen rules list?')
    expect(await failureOf('rules', 'validate')).toContain('Did you mean omen rules lint?')
    expect(await failureOf('rules', 'frobnicate')).toContain('It takes list, show, lint, test, new or schema.')
  })

  it('require their operands, and reject further ones', async () => {
    expect(await failureOf('explain')).toBe('omen explain needs an id: omen explain <id>…\nTry: omen explain --help')
    expect(await failureOf('rules', 'show')).toContain('omen rules show needs an id')
    expect(await failureOf('completion')).toContain('omen completion needs a shell: omen completion bash|zsh|fish')
    expect(await failureOf('completion', 'fihs')).toContain('not "fihs". Did you mean fish?')
    expect(await failureOf('completion', 'bash', 'zsh')).toContain(
      'omen completion takes only bash|zsh|fish: remove "zsh"',
    )
    expect(await failureOf('config', 'x')).toContain('omen config takes no arguments: remove "x"')
    expect(await failureOf('-g', 'app.log')).toContain('omen -g takes no arguments: remove "app.log"')
    expect(await failureOf('app.log', '')).toContain('path 2 is empty')
  })
})

describe('a wrong flag', () => {
  it.each([
    [['--quite'], 'unknown flag --quite. Did you mean -q (--quiet)?'],
    [['--output', 'x'], 'unknown flag --output. Did you mean -o (--name)?'],
    [['--outptu=x'], 'unknown flag --outptu. Did you mean -o (--name)?'],
    [['--verbose'], 'Did you mean -l (--level)?'],
    [['-R', 'x'], 'unknown flag -R. Did you mean -r (--rules)?'],
    [['-x'], 'unknown flag -x.'],
    [['-qx'], 'unknown flag -x (in -qx).'],
    [['-q-'], 'unknown flag -q-.'],
    [['--frobnicate'], 'unknown flag --frobnicate.'],
    [['---quiet'], 'unknown flag ---quiet. Did you mean -q (--quiet)?'],
    [['-rules', 'x'], 'unknown flag -rules. Did you mean --rules?'],
    [['-since=1h'], 'unknown flag -since. Did you mean --since?'],
    [['--no-quiet'], 'unknown flag --no-quiet.'],
    [['--__proto__'], 'unknown flag --__proto__.'],
    [['--constructor=1'], 'unknown flag --constructor.'],
    [['-😀'], 'unknown flag "-😀".'],
    [['--\u001b[31mred'], 'unknown flag "--\\u001b[31mred".'],
    [['rules', 'list', '--jsn'], 'unknown flag --jsn. Did you mean --json?\nTry: omen rules list --help'],
  ])('in %j is rejected with a suggestion', async (argv, message) => {
    expect(await failureOf(...argv)).toContain(message)
  })

  it('of another verb is rejected with the verbs that take it', async () => {
    expect(await failureOf('config', '--since', '1h')).toContain(
      'omen config does not take --since; use it with omen [path]….',
    )
    expect(await failureOf('--json', 'app.log')).toContain(
      'omen does not take --json; use it with omen explain, omen rules, omen updates, omen login, omen whoami or omen config. The report is JSON: -q -o - prints',
    )
    expect(await failureOf('rules', 'list', '-o', 'x')).toContain('omen rules list does not take -o')
    expect(await failureOf('-g', '--follow')).toContain('omen -g does not take --follow')
    expect(await failureOf('explain', '-g', 'x')).toContain('omen explain does not take -g; use it with omen -g.')
    expect(await failureOf('-g', '-j')).toContain('-g and -j cannot be combined')
    expect(await failureOf('rules', 'list', '--json', '--ids')).toContain('--json and --ids cannot be combined')
  })

  it.each([
    [['-s'], '-s needs a value: -s <file>'],
    [['app.log', '--since'], '--since needs a value: --since <time>'],
    [['-r', ''], '-r needs a non-empty value'],
    [['--state='], '--state needs a non-empty value'],
    [['-q=1'], '-q takes no value: -q=1'],
    [['--quiet=true'], '--quiet takes no value: --quiet=true'],
    [['-o', 'a', '--name', 'b'], '-o (--name) may be given only once'],
    [['--threads', '2', '--threads', '2'], '--threads may be given only once'],
    [['--threads', '0'], '--threads takes a whole number from 1 to 64, not "0"'],
    [['--threads', '65'], 'not "65"'],
    [['--threads', '1.5'], 'not "1.5"'],
    [['--threads', '0x10'], 'not "0x10"'],
    [['--threads=-1'], 'not "-1"'],
    [['-l', 'loud'], '-l takes error, warn, info, debug or trace, not "loud".'],
    [['-l', 'debgu'], 'Did you mean debug?'],
    [['--fail-on', 'hihg'], 'Did you mean high?'],
    [['--fail-on', '5'], '--fail-on takes critical, high, medium, low or info, not "5".'],
    [['--fail-on', 'constructor'], 'not "constructor"'],
    [['--since', 'soon'], '--since: "soon" is not a time: write 10m'],
    [['--until', '2026-02-30'], '--until: "2026-02-30": no such date or time of day'],
    [['--log-tz', 'Berlin'], '--log-tz: unknown time zone "Berlin". Did you mean Europe/Berlin?'],
    [['--log-tz', 'CEST+2'], '--log-tz: unknown time zone "CEST+2": write a name such as Europe/Berlin, an offset'],
    [['--since', '1h', '--until', '2h'], '--since is later than --until'],
    [['help', 'explian'], 'there is no help for "explian". Did you mean omen help explain?'],
    [['help', 'rules', 'lnit'], 'there is no help for "rules lnit". Did you mean omen help rules lint?'],
    [['help', 'config', 'x'], 'there is no help for "config x".'],
  ])('value in %j is rejected', async (argv, message) => {
    expect(await failureOf(...argv)).toContain(message)
  })
})

describe('help and version', () => {
  it.each([
    [['-h'], []],
    [['--help'], []],
    [['-qh'], []],
    [['app.log', '--help'], []],
    [['-h', 'explain'], ['explain']],
    [['explain', '-h'], ['explain']],
    [['rules', '--help'], ['rules']],
    [
      ['rules', 'lint', 'x', '-h'],
      ['rules', 'lint'],
    ],
    [['rules', 'frobnicate', '-h'], ['rules']],
    [['help', '-h'], ['help']],
    [['help', 'config', '-h'], ['config']],
    [['--frobnicate', '-h', '--threads', 'x'], []],
    [['-o', '-h'], []],
    [['-s', '--help'], []],
    [['-v', '-h'], []],
    [['-gj', '-h'], []],
  ])('%j shows the help for %j', async (argv, topic) => {
    expect(await read(...argv)).toEqual({ verb: 'help', topic })
  })

  it.each([[['-v']], [['--version']], [['-qv', 'app.log']], [['--frobnicate', '-v']], [['rules', 'lint', '-v']]])(
    '%j prints the version',
    async (argv) => {
      expect(await read(...argv)).toEqual({ verb: 'version' })
    },
  )

  it('are not recognised after -- or in a value', async () => {
    expect(await read('--', '-h', '-v')).toEqual({ ...SCAN, paths: ['-h', '-v'] })
    expect(await read('--name=-h')).toEqual({ ...SCAN, output: '-h' })
  })
})

describe('the tables', () => {
  it('contain every flag name only once', () => {
    const names = OMEN.flags.flatMap(({ name, short }) => (short ? [name, short] : [name]))
    expect(new Set(names).size).toBe(names.length)
    const taken = new Set(OMEN.flags.map(({ name }) => name))
    const others = OMEN.flags.flatMap(({ alsoCalled = [] }) => alsoCalled)
    expect(new Set(others).size).toBe(others.length)
    expect(others.filter((name) => taken.has(name))).toEqual([])
  })

  it('assign flags only to existing verbs', () => {
    const verbs = new Set<string>(OMEN.verbs.map(({ name }) => name))
    for (const { verbs: takers } of OMEN.flags) {
      if (takers !== 'all') expect(takers.filter((verb) => !verbs.has(verb))).toEqual([])
    }
  })

  it('have examples that parse', async () => {
    const examples = [...OMEN.verbs, ...OMEN.groups].flatMap((row) => row.examples.map(({ line }) => line))
    for (const example of examples) {
      for (const [, call] of example.matchAll(/\bomen((?: (?:"[^"]*"|[^\s|&>)]+))*)/g)) {
        if (/^\.\w/.test(call!)) continue
        const argv = [...call!.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
        await expect(read(...argv), example).resolves.toBeDefined()
      }
    }
  })

  it('list the same severities as the engine', () => {
    expect(SEVERITIES).toEqual(SEVERITY_LABELS)
  })
})

describe('any command line', () => {
  it('is parsed, or rejected with a message that is safe to print', async () => {
    const known = [
      ...OMEN.flags.flatMap(({ name, short }) => [`--${name}`, `--${name}=x`, ...(short ? [`-${short}`] : [])]),
    ]
    const argument = fc.oneof(
      fc.constantFrom(...known, ...topicsOf(OMEN).flat(), '-', '--', '', '-o', '2d', 'high', 'app.log'),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 6 }).map((text) => `-${text}`),
      fc.string({ maxLength: 12 }).map((text) => `--${text}`),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(argument, { maxLength: 6 }), async (argv) => {
        try {
          expect((await read(...argv)).verb).toBeTypeOf('string')
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
          expect((error as Failure).kind).toBe('Usage')
          expect((error as Failure).message.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('keeps the value of -o unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        expect(await read(`--name=${text}`)).toMatchObject({ verb: 'scan', output: text })
      }),
    )
  })
})
