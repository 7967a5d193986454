import { execFileSync } from 'node:child_process'
import { chmodSync, createReadStream, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selfSigned } from './certificate.js'
import { READS_PODS } from './cluster/authorizer.js'
import { pod, service, workload } from './cluster/objects.js'
import { type Cluster, type LogLine, startCluster } from './cluster/server.js'
import { useFolder } from './omen.js'
import { type Running, useProcesses } from './running.js'

const folder = useFolder()
const processes = useProcesses()
const plugin = fileURLToPath(new URL('../dist/kubectl-omen.js', import.meta.url))
const kubectl = execFileSync('sh', ['-c', 'command -v kubectl'], { encoding: 'utf8' }).trim()

const RULES = `rules:
  - cre: { id: TEST-0001, severity: 1, title: A disk is full }
    rule: { set: { event: { source: '*' }, match: [disk full] } }
  - cre: { id: TEST-0002, severity: 0 }
    rule: { set: { event: { source: cre.log.redis }, match: [disk full] } }
`

const line = (second: number, text: string): LogLine => ({
  at: `2026-03-01T12:00:${String(second).padStart(2, '0')}.000000001Z`,
  text,
})

const web = workload('Deployment', 'web', { namespace: 'shop' })
const set = workload('ReplicaSet', 'web-5d9c7', { namespace: 'shop', owner: web })
const webPod = (name: string) =>
  pod(name, {
    namespace: 'shop',
    labels: { app: 'web', 'pod-template-hash': '5d9c7' },
    owner: set,
    initContainers: [{ name: 'prepare' }],
    containers: [
      { name: 'app', restarts: 1 },
      { name: 'broker', image: 'bitnami/kafka:3.9' },
    ],
    ephemeralContainers: [{ name: 'look' }],
  })

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({
    tls: selfSigned('localhost'),
    users: {
      admin: { name: 'admin', rules: [{ verbs: ['*'], resources: ['*'] }] },
      job: {
        name: 'system:serviceaccount:shop:omen',
        rules: READS_PODS.map((rule) => ({ ...rule, namespaces: ['shop'] })),
      },
    },
    objects: [
      web,
      set,
      service('front', { app: 'web' }, 'shop'),
      webPod('web-5d9c7-a'),
      pod('idle', { namespace: 'other', containers: [{ waiting: 'ImagePullBackOff' }] }),
      pod('crashing', { namespace: 'crash', containers: [{ restarts: 3, waiting: 'CrashLoopBackOff' }] }),
      pod('slow', { namespace: 'slow' }),
      ...['a', 'b', 'c'].map((name) => pod(name, { namespace: 'slow' })),
    ],
    logs: {
      'shop/web-5d9c7-a/prepare': { lines: [line(1, 'disk full in prepare')] },
      'shop/web-5d9c7-a/app/previous': { lines: [line(2, 'disk full before the restart')] },
      'shop/web-5d9c7-a/app': { lines: [line(3, '2026-03-01 12:00:03 disk full'), line(4, '  at the second line')] },
      'shop/web-5d9c7-a/broker': { lines: [line(5, 'disk full in broker')] },
      'shop/web-5d9c7-a/look': { lines: [line(6, 'disk full in look')] },
      'crash/crashing/app/previous': { lines: [line(1, 'disk full, and then it crashed')] },
      'slow/slow/app': { lines: [line(1, 'disk full, and then silence')], hangs: true },
      'slow/a/app': { lines: [line(2, 'disk full in a')] },
      'slow/b/app': { lines: [line(3, 'disk full in b')] },
      'slow/c/app': { lines: [line(4, 'disk full in c')], breaksAfter: 5 },
    },
  })
  mkdirSync(folder.path('bin'))
  mkdirSync(folder.path('tmp'))
  symlinkSync(plugin, folder.path('bin/kubectl-omen'))
  folder.write('rules.yaml', RULES)
  folder.write('kubeconfig', cluster.kubeconfig({ namespace: 'shop' }))
  folder.write('of-the-job', cluster.kubeconfig({ namespace: 'shop', token: 'job' }))
  folder.write('to-nowhere', cluster.kubeconfig().replace(String(cluster.port), '1'))
  folder.write('wrong-token', cluster.kubeconfig({ namespace: 'shop', token: 'wrong' }))
})
afterAll(() => cluster.close())

/** The folder of a script that replaces kubectl. */
function wrap(name: string, script: string): string {
  const path = folder.write(`${name}/kubectl`, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return dirname(path)
}

function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const path = [folder.path('bin'), dirname(process.execPath), dirname(kubectl), process.env.PATH].join(':')
  return folder.environment({ PATH: path, KUBECONFIG: folder.path('kubeconfig'), TMPDIR: folder.path('tmp'), ...more })
}

/** Starts the plugin with the rules of this test only. */
function start(args: readonly string[], more?: NodeJS.ProcessEnv): Running {
  const argv = [plugin, '-d', '-r', folder.path('rules.yaml'), ...args]
  return processes.start(process.execPath, argv, { cwd: folder.path('.'), env: environment(more) })
}

async function run(args: readonly string[], more?: NodeJS.ProcessEnv) {
  const ended = await start(args, more).ended
  // No process and no folder may be left.
  expect(readdirSync(folder.path('tmp'))).toEqual([])
  return ended
}

/** Waits for an effect of a program, and fails if the program ends first. */
async function unlessEnded(running: Running, work: Promise<void>): Promise<void> {
  const ending = running.ended.then((end) => {
    throw new Error(`it has ended: ${JSON.stringify(end)}`)
  })
  // Afterwards it may end.
  ending.catch(() => {})
  await Promise.race([work, ending])
}

interface Report {
  readonly id: string
  readonly hits: readonly Readonly<Record<string, unknown>>[]
}

const readReport = (text: string): readonly Report[] => JSON.parse(text)

describe('kubectl omen', () => {
  it('is found by kubectl, and reads every container of a deployment', async () => {
    const args = ['omen', 'deployment/web', '-d', '-r', folder.path('rules.yaml'), '-o', 'report.json']
    const { status, out, err } = await processes.start(kubectl, args, { cwd: folder.path('.'), env: environment() })
      .ended
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toContain('TEST-0002 critical [4 hits @ 2026-03-01T12:00:01.000000001Z]\n')
    expect(out).toContain('TEST-0001 high [5 hits @ 2026-03-01T12:00:01.000000001Z]\n')
    const [typed, all] = readReport(readFileSync(folder.path('report.json'), 'utf8'))
    const inPod = { namespace: 'shop', pod: 'web-5d9c7-a' }
    expect(all?.hits).toMatchObject([
      { ...inPod, container: 'prepare', entry: 'disk full in prepare', source: 'shop/web-5d9c7-a/prepare' },
      {
        ...inPod,
        container: 'app',
        file: 'shop/web-5d9c7-a/app (previous)',
        timestamp: '2026-03-01T12:00:02.000000001Z',
      },
      { ...inPod, container: 'app', entry: '2026-03-01 12:00:03 disk full\n  at the second line' },
      { ...inPod, container: 'broker' },
      { ...inPod, container: 'look' },
    ])
    // Rules of other types do not run on Kafka.
    expect(typed?.hits.map(({ container }) => container)).toEqual(['prepare', 'app', 'app', 'look'])
  })

  it('reads times without a zone as UTC in any zone of the machine, unless a zone is named', async () => {
    const timeOf = async (...args: string[]) => {
      const { out } = await run(['-q', '-o', '-', 'web-5d9c7-a', '-c', 'app', ...args], { TZ: 'Asia/Tokyo' })
      return readReport(out)[0]?.hits.find(({ entry }) => String(entry).includes('the second line'))?.timestamp
    }
    expect(await timeOf()).toBe('2026-03-01T21:00:03+09:00')
    expect(await timeOf('--log-tz', 'local')).toBe('2026-03-01T12:00:03+09:00')
  })

  it('reads all pods of a namespace with permission to read pods only', async () => {
    const { status, out, err } = await run(['-n', 'shop', '-q', '-o', '-', '-c', 'app', '--previous'], {
      KUBECONFIG: folder.path('of-the-job'),
    })
    expect({ status, err }).toEqual({ status: 0, err: '' })
    const [problem] = readReport(out)
    expect(problem?.hits).toMatchObject([{ entry: 'disk full before the restart' }])
  })

  it('reads the log of a container in CrashLoopBackOff once', async () => {
    const { status, out, err } = await run(['-n', 'crash', '-q', '-o', '-', 'crashing'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(readReport(out).map(({ hits }) => hits.map(({ entry }) => entry))).toEqual([
      ['disk full, and then it crashed'],
      ['disk full, and then it crashed'],
    ])
  })

  it('follows a container in CrashLoopBackOff, and reads the log of its last run once', async () => {
    const running = start(['-n', 'crash', '--follow', 'crashing', '-o', 'crashing.json'])
    await running.printed(/TEST-0001 high .*12:00:01/)
    cluster.setLog('crash/crashing/app', { lines: [line(9, 'disk full again')] })
    cluster.put(pod('crashing', { namespace: 'crash', containers: [{ restarts: 4 }] }))
    await running.printed(/TEST-0001 high .*12:00:09/)
    running.kill('SIGINT')
    expect((await running.ended).status).toBe(130)
    const [problem] = readReport(readFileSync(folder.path('crashing.json'), 'utf8'))
    expect(problem?.hits.map(({ entry }) => entry)).toEqual(['disk full, and then it crashed', 'disk full again'])
  })

  it('says what was examined in all containers, and warns if no entry is in the time range', async () => {
    const { err } = await run(['deployment/web', '-q', '-o', '', '-l', 'info'])
    expect(err).toContain(
      ' > Read 6 lines as 5 entries from 2026-03-01 12:00:01Z to 2026-03-01 12:00:06Z in 2 formats.\n',
    )
    const later = await run(['deployment/web', '-c', 'broker', '-o', '', '--since', '2026-03-02'])
    expect(later).toMatchObject({
      status: 0,
      err: 'Warning: shop/web-5d9c7-a/broker has no entry in the time range: nothing was examined\n',
    })
  })

  it('works if kubectl has no proxy', async () => {
    const path = wrap(
      'no-proxy',
      `[ "$1" = proxy ] && { echo 'error: unknown command "proxy"' >&2; exit 1; }\nexec ${kubectl} "$@"`,
    )
    const { status, out } = await run(['pod/web-5d9c7-a', '-q', '-o', '-'], { PATH: `${path}:${environment().PATH}` })
    expect(status).toBe(0)
    expect(readReport(out).map(({ id, hits }) => [id, hits.length])).toEqual([
      ['TEST-0002', 4],
      ['TEST-0001', 5],
    ])
  })

  it('does not wait for a silent pod, and reports a log that breaks off', async () => {
    const running = start(['-n', 'slow', '--parallel', '2', '-l', 'debug', '-o', 'slow.json'])
    await Promise.all(['a', 'b', 'c'].map((name) => running.printed(`source read source=slow/${name}/app`)))
    running.kill('SIGINT')
    const { status, err } = await running.ended
    expect(status).toBe(130)
    expect(err).toMatch(/^Data error: slow\/c\/app: the log broke off after \d bytes$/m)
    const [problem] = readReport(readFileSync(folder.path('slow.json'), 'utf8'))
    expect(problem?.hits.map(({ pod: name }) => name)).toEqual(expect.arrayContaining(['a', 'b']))
    expect(cluster.most.connections).toBeLessThanOrEqual(20)
  })

  it.each<[string, readonly string[], NodeJS.ProcessEnv, number, string]>([
    ['no kubectl', ['web'], { PATH: '/nowhere' }, 1, 'Cluster error: kubectl is not on the PATH\nInstall it'],
    [
      'no response',
      ['web'],
      { KUBECONFIG: 'to-nowhere' },
      1,
      'Cluster error: the API server at 127.0.0.1:1 does not respond\n',
    ],
    ['no such file', ['web', '--kubeconfig', '/no/such'], {}, 1, 'Cluster error: no such file: /no/such\n'],
    [
      'no such context',
      ['web', '--context', 'nope'],
      {},
      1,
      'Cluster error: no context nope in the configuration of kubectl\n',
    ],
    [
      'wrong credentials',
      ['web'],
      { KUBECONFIG: 'wrong-token' },
      1,
      'Cluster error: the cluster does not accept your credentials',
    ],
    [
      'no permission',
      ['-A'],
      { KUBECONFIG: 'of-the-job' },
      1,
      'Cluster error: no permission: system:serviceaccount:shop:omen may not list pods in all namespaces\n',
    ],
    [
      'no such pod',
      ['web-5d9c7-b'],
      {},
      1,
      'Data error: there is no pod web-5d9c7-b in the namespace shop: did you mean web-5d9c7-a?\n',
    ],
    [
      'not started',
      ['-n', 'other', 'idle'],
      {},
      1,
      'Data error: no container of the pod idle has started yet (other/idle/app: ImagePullBackOff), so there is no log\n',
    ],
    [
      'no such container',
      ['deploy/web', '-c', 'ap'],
      {},
      1,
      'Data error: no container "ap" in the pod web-5d9c7-a. Did you mean app?\nContainers: app, broker, look, prepare\n',
    ],
    [
      'no such kind',
      ['deplyoment/web'],
      {},
      2,
      'Usage error: "deplyoment" is not a kind of object with pods. Did you mean deployment/?\n',
    ],
    [
      'too much',
      ['deploy/web', '--selector', 'app=web'],
      {},
      2,
      'Usage error: a target and --selector cannot be combined',
    ],
  ])('says what to do: %s', async (_, args, more, expected, message) => {
    const { status, out, err } = await run(args, more)
    expect({ status, out }).toEqual({ status: expected, out: '' })
    expect(err).toContain(message)
  })

  it('explains the output of a broken kubectl', async () => {
    const path = wrap('garbage', `head -c 100000 /dev/urandom | tr '\\0' x; echo '\\033]0;x\\007' >&2; exit 0`)
    const { status, err } = await run(['web'], { PATH: `${path}:${environment().PATH}` })
    expect(status).toBe(1)
    expect(err).toMatch(
      /^Cluster error: the response does not come from an API server: .*\nCheck with: kubectl get pods\n$/,
    )
    expect(err.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  it('ends its processes, also when it is killed', async () => {
    // The proxy holds the pipe open until it ends.
    const pipe = folder.path('alive')
    execFileSync('mkfifo', [pipe])
    const path = wrap('guarded', `[ "$1" = proxy ] && exec 9>'${pipe}'\nexec ${kubectl} "$@"`)
    const proxyEnded = new Promise<void>((resolve) =>
      createReadStream(pipe)
        .on('end', () => resolve())
        .resume(),
    )
    const running = start(['--follow', 'web-5d9c7-a', '-c', 'app'], { PATH: `${path}:${environment().PATH}` })
    await unlessEnded(running, cluster.followed('shop/web-5d9c7-a/app'))
    running.kill('SIGKILL')
    await running.ended
    await proxyEnded
    expect(readdirSync(folder.path('tmp'))).toEqual([])
  })

  it('follows a rollout, and writes the report when it is interrupted', async () => {
    const running = start(['--follow', 'deployment/web', '-c', 'app', '-o', 'followed.json'])
    await unlessEnded(running, cluster.followed('shop/web-5d9c7-a/app'))
    await running.printed(/TEST-0001 high .*12:00:03/)
    cluster.setLog('shop/web-5d9c7-b/app', { lines: [line(7, 'disk full in the new pod')] })
    cluster.put(webPod('web-5d9c7-b'))
    await running.printed(/TEST-0001 high .*12:00:07/)
    running.kill('SIGINT')
    const { status } = await running.ended
    expect(status).toBe(130)
    const [problem] = readReport(readFileSync(folder.path('followed.json'), 'utf8'))
    expect(problem?.hits.map(({ pod: name }) => name)).toContain('web-5d9c7-b')
    cluster.remove('Pod', 'web-5d9c7-b', 'shop')
  })

  it('completes words for kubectl', async () => {
    const complete = async (...argv: string[]) => {
      const running = processes.start(process.execPath, [plugin, ...argv], { cwd: '/', env: environment() })
      return (await running.ended).out
    }
    // One after the other, because completion has a short time limit.
    expect(await complete('__complete', 'dep')).toBe('deployment/\n:6\n')
    expect(await complete('__complete', 'deployment/')).toBe('deployment/web\n:4\n')
    expect(await complete('__complete', '-n', 'other', '')).toMatch(/^idle\npod\/\n/)
    expect(await complete('__complete', '--prev')).toBe('--previous\n:4\n')
    expect(await complete('completion')).toContain('exec kubectl-omen __complete "$@"\n')
  })

  it('has its own help and the verbs of omen', async () => {
    const [help, rules] = await Promise.all([run(['--help']), run(['rules', 'list'])])
    expect(help.out).toContain('Usage: kubectl omen [flags] <target>…\n')
    expect(help.out).toMatch(/-A, --all-namespaces +Look in all namespaces/)
    expect(rules.out).toContain('TEST-0001')
  })
})

it('is among the programs that npm installs', () => {
  const { bin } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  for (const name of ['kubectl-omen', 'kubectl_complete-omen']) {
    expect(readFileSync(join(dirname(plugin), '..', bin[name]), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  }
})
