import { afterEach, describe, expect, it } from 'vitest'
import { READS_PODS } from '../../test/cluster/authorizer.js'
import { connectDirectly } from '../../test/cluster/deps.js'
import { type KubeObject, pod, service, workload } from '../../test/cluster/objects.js'
import { type ClusterOptions, startCluster, statusError } from '../../test/cluster/server.js'
import type { Failure } from '../failure.js'
import { findChosen } from './find-chosen.js'
import { readTargets } from './target.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function start(options: ClusterOptions) {
  const cluster = await startCluster(options)
  const { deps, waits, close } = connectDirectly(cluster)
  closing.push(close, cluster.close)

  async function find(args: readonly string[], choice: { selector?: string; all?: boolean } = {}) {
    const { pods, problems } = await findChosen({ deps, namespace: 'shop' }, readTargets(args), {
      selector: choice.selector,
      allNamespaces: choice.all ?? false,
    })
    return { pods: pods.map(({ namespace, name }) => `${namespace}/${name}`), problems }
  }
  const fail = (args: readonly string[], choice = {}) =>
    find(args, choice).then(
      () => expect.unreachable('it was found'),
      ({ message, hint }: Failure) => ({ message, hint }),
    )
  return { cluster, waits, find, fail }
}

const inShop = (name: string, owner: KubeObject | undefined, labels: Record<string, string> = {}) =>
  pod(name, { namespace: 'shop', labels, ...(owner && { owner }) })

/** One object of every kind, with other pods beside it. */
function shop(): KubeObject[] {
  const inNamespace = { namespace: 'shop' }
  const web = workload('Deployment', 'web', inNamespace)
  const webSet = workload('ReplicaSet', 'web-5d9c7', { ...inNamespace, owner: web, selector: { app: 'web' } })
  const otherSet = workload('ReplicaSet', 'web-two-77', { ...inNamespace, selector: { app: 'web' } })
  const db = workload('StatefulSet', 'db', inNamespace)
  const agent = workload('DaemonSet', 'agent', inNamespace)
  const job = workload('Job', 'import', { ...inNamespace, selector: { 'job-name': 'import' } })
  const backup = workload('CronJob', 'backup', inNamespace)
  const runs = [29396340, 29396350].map((minute) => {
    const name = `backup-${minute}`
    return workload('Job', name, { ...inNamespace, owner: backup, selector: { 'job-name': name } })
  })
  return [
    web,
    webSet,
    otherSet,
    db,
    agent,
    job,
    backup,
    ...runs,
    service('front', { app: 'web' }, 'shop'),
    service('outside', undefined, 'shop'),
    inShop('web-5d9c7-a', webSet, { app: 'web', 'pod-template-hash': '5d9c7' }),
    inShop('web-5d9c7-b', webSet, { app: 'web', 'pod-template-hash': '5d9c7' }),
    inShop('web-two-77-a', otherSet, { app: 'web', 'pod-template-hash': '77' }),
    inShop('db-0', db, { app: 'db' }),
    inShop('agent-x', agent, { app: 'agent' }),
    inShop('import-x', job, { 'job-name': 'import' }),
    ...runs.map((run) => inShop(`${run.metadata.name}-x`, run, { 'job-name': run.metadata.name })),
    pod('elsewhere', { namespace: 'other', labels: { app: 'web' } }),
  ]
}

const FOUND: readonly (readonly [string, readonly string[]])[] = [
  ['db-0', ['shop/db-0']],
  ['deployment/web', ['shop/web-5d9c7-a', 'shop/web-5d9c7-b']],
  ['replicaset/web-5d9c7', ['shop/web-5d9c7-a', 'shop/web-5d9c7-b']],
  ['statefulset/db', ['shop/db-0']],
  ['daemonset/agent', ['shop/agent-x']],
  ['job/import', ['shop/import-x']],
  ['cronjob/backup', ['shop/backup-29396340-x', 'shop/backup-29396350-x']],
]

describe('the pods of a target', () => {
  it('are those that its selector matches and that name no other owner', async () => {
    const { find } = await start({ objects: shop() })
    for (const [target, pods] of FOUND) expect([target, (await find([target])).pods]).toEqual([target, pods])
    const front = ['shop/web-5d9c7-a', 'shop/web-5d9c7-b', 'shop/web-two-77-a']
    expect((await find(['service/front'])).pods).toEqual(front)
  })

  it('are found with permission to read pods only', async () => {
    const { find, fail } = await start({ objects: shop(), users: { '': { name: 'omen', rules: READS_PODS } } })
    for (const [target, pods] of FOUND) expect([target, (await find([target])).pods]).toEqual([target, pods])
    const { message, hint } = await fail(['service/front'])
    expect(message).toBe('service/front: no permission to get services, which is needed to find its pods')
    expect(hint).toContain('The template of "omen -j" contains that rule as a comment')
    expect(hint).toContain('kubectl create role omen-services -n shop --verb=get --resource=services')
    expect((await fail(['deployment/nope'])).message).toBe('no pod in the namespace shop belongs to deployment/nope')
  })

  it('are found in a cluster that is too old for the kind', async () => {
    const { find } = await start({
      objects: shop(),
      interfere: ({ path }) => (path.includes('/cronjobs') ? { text: '404 page not found\n', code: 404 } : undefined),
    })
    expect((await find(['cronjob/backup'])).pods).toEqual(['shop/backup-29396340-x', 'shop/backup-29396350-x'])
  })

  it('are read once for several targets, and a missing target is a problem', async () => {
    const { find } = await start({ objects: shop() })
    expect(await find(['sts/db', 'db-0', 'deploy/wob'])).toEqual({
      pods: ['shop/db-0'],
      problems: ['there is no deployment wob in the namespace shop: did you mean web?'],
    })
  })

  it('can be selected by label, in one namespace or in all', async () => {
    const { find, fail } = await start({ objects: shop() })
    expect((await find([], { selector: 'app in (db,agent)' })).pods).toEqual(['shop/agent-x', 'shop/db-0'])
    expect((await find([], { selector: 'app=web', all: true })).pods).toContain('other/elsewhere')
    expect((await find([], { all: true })).pods).toHaveLength(9)
    expect((await fail([], { selector: 'app=nope' })).message).toBe('no pod matches "app=nope" in the namespace shop')
    expect((await fail([], { selector: '=,=' })).message).toBe('--selector: "=,=" is not a label selector')
  })
})

describe('a missing object', () => {
  it.each([
    ['db-1', 'there is no pod db-1 in the namespace shop: did you mean db-0?'],
    ['web', 'there is no pod web in the namespace shop: did you mean web-5d9c7-a?'],
    ['deployment/wbe', 'there is no deployment wbe in the namespace shop: did you mean web?'],
    ['replicationcontroller/x', 'there is no replicationcontroller x in the namespace shop'],
    ['service/outside', 'service/outside has no selector, and therefore no pods'],
  ])('%s: %s', async (target, message) => {
    const { fail } = await start({ objects: shop() })
    expect((await fail([target])).message).toBe(message)
  })

  it('may be missing because nothing runs', async () => {
    const { fail } = await start({ objects: [workload('Deployment', 'web', { namespace: 'shop' })] })
    expect((await fail(['deployment/web'])).message).toBe('deployment/web in the namespace shop has no pods')
    expect((await fail(['pod/web'])).message).toContain('did you mean deployment/web?')
    expect((await fail([])).message).toBe('there is no pod in the namespace shop')
  })

  it('may be missing because of permissions', async () => {
    const { fail } = await start({ objects: shop(), users: { '': { name: 'jane', rules: [] } } })
    expect((await fail(['db-0'])).message).toBe('no permission: jane may not get pods in the namespace shop')
    expect((await fail(['deploy/web'])).message).toBe('no permission: jane may not list pods in the namespace shop')
    expect((await fail([], { all: true })).hint).toContain('kubectl create clusterrole omen --verb=get,list,watch')
  })
})

describe('long lists', () => {
  const many = Array.from({ length: 600 }, (_, n) => inShop(`web-${String(n).padStart(3, '0')}`, undefined))

  it('are read page by page', async () => {
    const { cluster, find } = await start({ objects: many, largestPage: 70 })
    expect((await find([])).pods).toHaveLength(600)
    expect(cluster.requests).toHaveLength(9)
  })

  it('are started again when they expire', async () => {
    let expired = 0
    const { find } = await start({
      objects: many,
      interfere: ({ query }) => (query.has('continue') && expired++ === 1 ? statusError(410, 'too old') : undefined),
    })
    expect((await find([])).pods).toHaveLength(600)
  })

  it('fail when they expire every time', async () => {
    const { cluster, fail } = await start({
      objects: many,
      interfere: ({ query }) => (query.has('continue') ? statusError(410, 'too old') : undefined),
    })
    expect((await fail([])).message).toBe('the API server responded: too old')
    expect(cluster.requests).toHaveLength(6)
  })

  it('wait as long as a busy server says, but not forever', async () => {
    let busy = 0
    const { waits, find, cluster, fail } = await start({
      objects: many,
      interfere: () => (busy++ < 2 ? statusError(429, 'slow down', busy === 1 ? 3 : 99999) : undefined),
    })
    expect((await find([])).pods).toHaveLength(600)
    expect(waits).toEqual([3000, 30_000])
    cluster.interfere(() => statusError(429, 'slow down'))
    expect((await fail([])).message).toBe('the API server is too busy')
    expect(waits.slice(2)).toEqual([500, 1000, 2000, 4000])
  })
})

describe('an invalid response', () => {
  it.each([
    [{ text: '<html>Login</html>' }, 'the response does not come from an API server: <html>Login</html>'],
    [{ text: '[]' }, 'the request to the cluster failed: not a list of objects'],
    [{ text: '{"items":{"a":1}}' }, 'the request to the cluster failed: not a list of objects'],
    [{ json: { items: [null, 7, {}, { metadata: { name: '../x', namespace: 'shop' } }] } }, 'there is no pod'],
    [{ json: { items: null, metadata: null } }, 'there is no pod'],
    ['break' as const, 'the request to the cluster failed: socket hang up'],
  ])('%j', async (content, message) => {
    const { fail } = await start({ interfere: () => content })
    expect((await fail([])).message).toContain(message)
  })
})
