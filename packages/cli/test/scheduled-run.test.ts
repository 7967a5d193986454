import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { cronJobTemplate } from '../src/templates/cron-job.js'
import { JOB_VALUES } from '../src/templates/job-commands.js'
import { selfSigned } from './certificate.js'
import { pod } from './cluster/objects.js'
import { type Cluster, startCluster } from './cluster/server.js'
import { useFolder } from './omen.js'
import { type Receiver, startReceiver } from './receiver.js'
import { useProcesses } from './running.js'

const folder = useFolder()
const processes = useProcesses()
const dist = fileURLToPath(new URL('../dist', import.meta.url))

/** The manifests of `omen -j`: this test runs their command. */
const manifests = parseAllDocuments(cronJobTemplate({ image: 'omen', version: '0' })).map((document) => document.toJS())
const [account, role, , job] = manifests
const [container] = job.spec.jobTemplate.spec.template.spec.containers

const RULES = `rules:
  - cre: { id: TEST-0001, severity: 1 }
    rule: { set: { event: { source: '*' }, match: [disk full] } }
`

/** A whole minute in the past, because a run may start late. */
const DUE = new Date((Math.floor(Date.now() / 60_000) - 4) * 60_000)
const at = (seconds: number) => new Date(DUE.getTime() + seconds * 1000).toISOString()

const tls = selfSigned('localhost')
let cluster: Cluster
let receiver: Receiver
beforeAll(async () => {
  const { namespace } = account.metadata
  const rules = role.rules.map((rule: object) => ({ ...rule, namespaces: [namespace] }))
  cluster = await startCluster({
    tls,
    users: { 'the-token': { name: `system:serviceaccount:${namespace}:${account.metadata.name}`, rules } },
    objects: [
      pod('web-1'),
      pod('omen-1-x', { labels: job.spec.jobTemplate.spec.template.metadata.labels }),
      pod('web-2', { namespace: 'elsewhere' }),
    ],
    logs: {
      'default/web-1/app': {
        lines: [
          { at: at(-601), text: 'disk full, before the ten minutes' },
          { at: at(-600), text: 'disk full, at their first moment' },
          { at: at(-1), text: 'disk full, in their last second' },
          { at: at(0), text: 'disk full, in the minute of the next run' },
          { at: at(60), text: 'disk full, since the run was due' },
        ],
      },
      'default/omen-1-x/app': { lines: [{ at: at(-300), text: 'disk full, says omen' }] },
      'elsewhere/web-2/app': { lines: [{ at: at(-300), text: 'disk full, elsewhere' }] },
    },
  })
  receiver = await startReceiver()
  folder.write('account/token', 'the-token\n')
  folder.write('account/namespace', namespace)
  folder.write('account/ca.crt', tls.cert)
  const webhook = `http://127.0.0.1:${receiver.port}/hook`
  const config = `rules: { paths: [own.yaml], disableCommunityRules: true }\nnotification: { type: webhook, webhook: '${webhook}' }\n`
  folder.write('config-map/config.yaml', config)
  folder.write('config-map/own.yaml', RULES)
  folder.write('config-map/.ruletoken', 'a-token\n')
})
afterAll(async () => {
  await cluster.close()
  await receiver.close()
})

/**
 * A root file system in a mount namespace, like in the container: read-only except for one folder, with the configuration and the service
 * account mounted. It contains the programs of this machine, but not on the PATH, so there is no kubectl.
 */
const ROOT = `
set -e
mkdir -p root && mount -t tmpfs tmpfs root && cd root
for name in bin sbin lib lib64 usr etc dev proc; do
  if [ -L "/$name" ]; then cp -P "/$name" "$name"; elif [ -d "/$name" ]; then mkdir "$name" && mount --rbind "/$name" "$name"; fi
done
mkdir -p "./$NODE_HOME" opt/omen tmp .preq/..1 "./$ACCOUNT"
[ "$(ls -A "./$NODE_HOME")" ] || mount --bind "$NODE_HOME" "./$NODE_HOME"
mount --bind "$DIST" opt/omen
cp ../account/* "./$ACCOUNT/"
cp ../config-map/.ruletoken ../config-map/* .preq/..1/
ln -s ..1 .preq/..data
for name in config.yaml own.yaml .ruletoken; do ln -s "..data/$name" ".preq/$name"; done
mount -t tmpfs -o mode=1777 tmpfs "./$SCRATCH"
mount -o remount,bind,ro .
exec chroot $USERSPEC . /usr/bin/env -i -C "$SCRATCH" HOME=/ container=oci PATH=/nowhere OMEN_JOB_NAME="$OMEN_JOB_NAME" \\
  KUBERNETES_SERVICE_HOST=localhost KUBERNETES_SERVICE_PORT="$PORT" "$NODE" /opt/omen/kubectl-omen.js "$@"
`

/** Runs the command of the job in this root, as its user if possible. */
async function run(name: string, args: readonly string[] = container.args) {
  const isRoot = process.getuid?.() === 0
  const env = {
    PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
    NODE: process.execPath,
    NODE_HOME: dirname(process.execPath),
    DIST: dist,
    ACCOUNT: '/var/run/secrets/kubernetes.io/serviceaccount',
    SCRATCH: JOB_VALUES.scratchMount,
    USERSPEC: isRoot ? `--userspec=${JOB_VALUES.user}:${JOB_VALUES.group}` : '',
    PORT: String(cluster.port),
    OMEN_JOB_NAME: name,
  }
  const argv = [isRoot ? '-m' : '-rm', 'sh', '-c', ROOT, ...container.command, ...args]
  const running = processes.start('unshare', argv, { cwd: folder.path('.'), env })
  running.endInput()
  return await running.ended
}

describe('a run of the job, in a pod without kubectl', () => {
  const name = `${job.metadata.name}-${DUE.getTime() / 60_000}`

  it('reports the problems of its ten minutes only, with the permissions of its role', async () => {
    const { status, out, err } = await run(name)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toContain('TEST-0001 high [2 hits @ ')
    const [message, ...more] = receiver.requests.map(({ body }) => JSON.parse(body))
    expect(more).toEqual([])
    expect(message).toMatchObject({ prefix: 'default: ', problems: [{ id: 'TEST-0001', hits: 2 }] })
  })

  it('names the permission that is missing for a service', async () => {
    const args = container.args.flatMap((word: string) =>
      word === '--selector' ? ['service/shop'] : word.includes('!=') ? [] : [word],
    )
    const { status, err } = await run(name, args)
    expect(status).toBe(1)
    expect(err).toContain('no permission to get services')
    expect(err).toContain('"omen -j" contains that rule as a comment')
  })
})
