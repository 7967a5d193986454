import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { JOB_VALUES } from '../src/templates/job-commands.js'
import { type Cluster, startCluster } from './cluster/server.js'
import { manifestErrors } from './kubernetes-schema.js'
import { useFolder } from './omen.js'

const folder = useFolder()
const root = fileURLToPath(new URL('../../..', import.meta.url))
const manual = readFileSync(`${root}/docs/kubernetes.md`, 'utf8')

/** The resources of the job's manifests that are not pods or their owners. */
const ROLES = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: 'rbac.authorization.k8s.io/v1',
  resources: [
    { name: 'roles', singularName: 'role', namespaced: true, kind: 'Role', verbs: ['get', 'create', 'patch'] },
    {
      name: 'rolebindings',
      singularName: 'rolebinding',
      namespaced: true,
      kind: 'RoleBinding',
      verbs: ['get', 'create', 'patch'],
    },
  ],
}
const group = (name: string) => {
  const version = { groupVersion: `${name}/v1`, version: 'v1' }
  return { name, versions: [version], preferredVersion: version }
}
const GROUPS = {
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: ['apps', 'batch', 'rbac.authorization.k8s.io'].map(group),
}
const DISCOVERY: Readonly<Record<string, object>> = { '/apis': GROUPS, '/apis/rbac.authorization.k8s.io/v1': ROLES }

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({
    interfere: ({ path }) => (DISCOVERY[path] ? { json: DISCOVERY[path] } : undefined),
  })
  folder.write('kubeconfig', cluster.kubeconfig())
  mkdirSync(folder.path('home'))
})
afterAll(() => cluster.close())

/** Runs a command of the manual in a shell, with the real kubectl. */
async function shell(line: string): Promise<string> {
  const env = folder.environment({ KUBECONFIG: folder.path('kubeconfig'), HOME: folder.path('home') })
  const { stdout } = await promisify(execFile)('sh', ['-ec', line], { cwd: folder.path('.'), env, maxBuffer: 1 << 24 })
  return stdout
}

/** The command of the manual that starts like this, without the part that applies it to a cluster. */
function documented(start: string): string {
  const line = manual.split('\n').find((candidate) => candidate.startsWith(start))
  if (line === undefined) throw new Error(`docs/kubernetes.md has no line that begins with ${start}`)
  return line.replace(/ \| kubectl apply .*$/, '')
}

describe('the manifests of omen -j', () => {
  it('are accepted by kubectl apply', async () => {
    expect(folder.omen(['-j']).status).toBe(0)
    const out = await shell('kubectl apply --dry-run=client --validate=false -f cronjob.yaml')
    expect(out.trimEnd().split('\n')).toEqual(
      [
        'serviceaccount/omen',
        'role.rbac.authorization.k8s.io/omen',
        'rolebinding.rbac.authorization.k8s.io/omen',
        'cronjob.batch/omen',
      ].map((name) => `${name} created (dry run)`),
    )
  })
})

describe('the role for a user', () => {
  it('equals that of the job, with the commands of the manual', async () => {
    const made = async (start: string) => parse(await shell(`${documented(start)} --dry-run=client -o yaml`))
    const role = await made('kubectl create role omen')
    const binding = await made('kubectl create rolebinding omen')
    expect(role.rules).toEqual([
      { apiGroups: [''], resources: [...JOB_VALUES.resources], verbs: [...JOB_VALUES.verbs] },
    ])
    expect(binding.roleRef).toMatchObject({ kind: 'Role', name: role.metadata.name })
    expect(binding.metadata.namespace).toBe(role.metadata.namespace)
  })
})

describe('the configuration directory', () => {
  const rules = gzipSync('rules: []\n')
  beforeAll(() => {
    folder.write('home/.preq/config.yaml', 'notification:\n  type: slack\n  webhook: https://hooks.example.com/x\n')
    folder.write('home/.preq/.ruletoken', 'a-token\n')
    folder.write('home/.preq/omen-public-cre-rules.1.4.0.9f2c11aa0b1c.yaml.gz', rules)
    folder.write('home/.preq/omen-public-cre-rules.1.4.0.9f2c11aa0b1c.yaml.gz.sig', rules.subarray(0, 70))
    folder.write('home/.preq/cache/code-1/run.js', 'not wanted')
  })

  it('becomes a config map with the command of the manual, including hidden and binary files', async () => {
    const line = documented('kubectl create configmap omen --from-file="$HOME/.preq"')
    expect(readFileSync(folder.path('cronjob.yaml'), 'utf8')).toContain(line)
    const map = parse(await shell(line))
    expect(manifestErrors(map)).toEqual([])
    expect(Object.keys(map.data)).toEqual(['.ruletoken', 'config.yaml'])
    expect(Object.keys(map.binaryData)).toEqual([
      'omen-public-cre-rules.1.4.0.9f2c11aa0b1c.yaml.gz',
      'omen-public-cre-rules.1.4.0.9f2c11aa0b1c.yaml.gz.sig',
    ])
    const [packed] = Object.values(map.binaryData as Record<string, string>)
    expect(gunzipSync(Buffer.from(packed!, 'base64')).toString()).toBe('rules: []\n')
  })

  it('becomes a Secret with the command of the manual', async () => {
    const secret = parse(await shell(documented('kubectl create secret generic omen --from-file="$HOME/.preq"')))
    expect(manifestErrors(secret)).toEqual([])
    expect(Object.keys(secret.data)).toHaveLength(4)
    expect(Buffer.from(secret.data['.ruletoken'], 'base64').toString()).toBe('a-token\n')
  })

  it('works with the symbolic links of a mounted config map', () => {
    folder.write('mount/..2026_11_15/config.yaml', 'rules: { paths: [own.yaml] }\n')
    folder.write(
      'mount/..2026_11_15/own.yaml',
      'rules: [{ cre: { id: OWN-1 }, rule: { set: { event: { source: x }, match: [oh no] } } }]\n',
    )
    folder.write('mount/..2026_11_15/.ruletoken', 'a-token\n')
    symlinkSync('..2026_11_15', folder.path('mount/..data'))
    for (const name of ['config.yaml', 'own.yaml', '.ruletoken'])
      symlinkSync(`..data/${name}`, folder.path(`mount/${name}`))
    const mounted = { OMEN_CONFIG_DIR: folder.path('mount') }
    const { status, out, err } = folder.omen(['-q', '-d', '-o', '-'], '2026-03-01T12:00:01Z oh no\n', mounted)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(JSON.parse(out).map(({ id }: { id: string }) => id)).toEqual(['OWN-1'])
  })
})
