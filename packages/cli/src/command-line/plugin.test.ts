import { describe, expect, it } from 'vitest'
import type { PodsOptions } from './command.js'
import { FLAGS } from './flags.js'
import { renderHelp } from './help.js'
import { KUBECTL_OMEN } from './plugin.js'
import { topicsOf } from './program.js'
import { readCommandLine } from './read-command-line.js'
import { VERBS } from './verbs.js'

const NOW = new Date('2026-03-01T12:00:00Z')
const read = (...argv: string[]) => readCommandLine(argv, { now: NOW, exists: () => false }, KUBECTL_OMEN)

describe('the command line of kubectl omen', () => {
  it('selects pods by target, label or namespace', async () => {
    expect(await read('deployment/web', '-n', 'shop', '-c', 'app', '-c', 'proxy', '--tail', '5')).toMatchObject({
      verb: 'pods',
      targets: ['deployment/web'],
      namespace: 'shop',
      containers: ['app', 'proxy'],
      tail: 5,
      allNamespaces: false,
      previous: false,
      follow: false,
    })
    expect(await read('-A', '--selector', 'app=web', '-fp')).toMatchObject({
      verb: 'pods',
      targets: [],
      selector: 'app=web',
      allNamespaces: true,
      previous: true,
      follow: true,
    })
    expect(await read('-n', 'shop')).toMatchObject({ verb: 'pods', targets: [], namespace: 'shop' })
  })

  it('takes every flag of omen', async () => {
    const names = KUBECTL_OMEN.flags.map(({ name }) => name)
    expect(FLAGS.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    const letters = KUBECTL_OMEN.flags.flatMap(({ short }) => short ?? [])
    expect(new Set(letters).size).toBe(letters.length)
    const command = (await read(
      'web',
      '--since',
      '10m',
      '-o',
      'web: ',
      '-y',
      '-q',
      '-l',
      'debug',
      '--fail-on',
      'high',
    )) as PodsOptions
    expect(command.since).toBe(1772365800000000000n)
    expect(command).toMatchObject({ output: 'web: ', acceptUpdates: true, quiet: true, level: 'debug', failOn: 1 })
  })

  it('has every verb of omen except scan', async () => {
    expect(await read('explain', '10001')).toMatchObject({ verb: 'explain', ids: ['10001'] })
    expect(await read('-j')).toMatchObject({ verb: 'cron' })
    expect(await read('completion')).toEqual({ verb: 'completion', shell: 'kubectl' })
    const names: readonly string[] = KUBECTL_OMEN.verbs.map(({ name }) => name)
    expect(VERBS.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual(['scan'])
  })

  it('reads data source files if no pod is named', async () => {
    expect(await read('-s', 'sources.yaml', '--threads', '2')).toMatchObject({
      verb: 'scan',
      dataSources: ['sources.yaml'],
    })
  })

  it('shows the help without arguments', async () => expect(await read()).toEqual({ verb: 'help', topic: [] }))

  it.each([
    [['--since', '10m'], 'nothing to read: name a target, or select pods with -n, -A or --selector'],
    [['web', '--selector', 'app=web'], 'a target and --selector cannot be combined'],
    [['web', '-A'], '-A and a target cannot be combined'],
    [['-n', 'shop', '-A'], '-n and -A cannot be combined'],
    [['web', '-s', 'sources.yaml'], 'name pods, or data source files with -s, but not both'],
    [['web', '--state', 'x'], '--state stores a position in files'],
    [['web', '--threads', '2'], '--threads applies to files: for pods, use --parallel'],
    [['-l', 'app=web'], 'not "app=web". Select pods by label with --selector.'],
    [['web', '--parallel', '21'], '--parallel takes a whole number from 1 to 20, not "21"'],
    [['web', '--max-log-requests', '5'], 'Did you mean --parallel?'],
    [['web', '--tail', '-1'], '--tail takes a whole number'],
    [['web', '--namespace', ''], '--namespace needs a non-empty value'],
    [['completion', 'bash'], 'kubectl omen completion takes no arguments'],
  ])('rejects %j: %s', async (argv, message) => {
    const failure = {
      kind: 'Usage',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('Try: kubectl omen'),
    }
    await expect(read(...argv)).rejects.toMatchObject(failure)
  })

  it('has a help page for every topic, without commands of another program', () => {
    for (const topic of topicsOf(KUBECTL_OMEN)) {
      const commands = renderHelp(topic, 80, KUBECTL_OMEN)
        .split('\n')
        .filter((line) => /^ {2}[a-z]+ [^ ]/.test(line))
      expect(commands.filter((line) => /(^| )omen /.test(line) && !line.includes('kubectl omen'))).toEqual([])
    }
  })
})
