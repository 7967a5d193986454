import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { OTHER_VARIABLES, SETTING_KEYS, SETTINGS } from '../src/settings/setting-table.js'

const home = fileURLToPath(new URL('../../../deploy/', import.meta.url))
const read = (name: string) => readFileSync(join(home, name), 'utf8')

const files = readdirSync(home, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(home.length))

const VARIABLES = new Set<string>([...SETTING_KEYS.map((key) => SETTINGS[key].environment), ...OTHER_VARIABLES])
const FLAGS = new Set(SETTING_KEYS.map((key) => SETTINGS[key].flag))

test.each(files)('%s names only settings that exist', (name) => {
  const text = read(name)
  const variables = [...text.matchAll(/\b(OMEN_[A-Z_]+|DATABASE_URL)\b/g)].map(([, variable]) => variable!)
  expect(variables.filter((variable) => !VARIABLES.has(variable))).toEqual([])
  const started = /^ExecStart=(.*)$/m.exec(text)?.[1] ?? ''
  const flags = (started.match(/--[a-z-]+/g) ?? []).filter((flag) => !FLAGS.has(flag) && flag !== '--config')
  expect(flags).toEqual([])
})

describe('the Kubernetes manifests', () => {
  const documents = readdirSync(join(home, 'kubernetes')).flatMap((name) =>
    parseAllDocuments(read(`kubernetes/${name}`)),
  )
  const manifests = documents.map((document) => document.toJS() as { readonly kind: string })
  const the = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
  const SELECTED = { 'app.kubernetes.io/name': 'omen-server' }

  test('are YAML, each with a name and the same label', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
    for (const manifest of manifests) {
      expect(manifest).toMatchObject({
        apiVersion: expect.any(String),
        metadata: { name: 'omen-server', labels: SELECTED },
      })
    }
  })

  test('run the service without privileges and with a read-only file system', () => {
    const container = {
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      resources: {
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      },
    }
    const pod = {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [container],
    }
    expect(the('Deployment')).toMatchObject([{ spec: { template: { metadata: { labels: SELECTED }, spec: pod } } }])
  })

  test('use its health checks, and give it time to stop', () => {
    const probe = (path: string) => ({ httpGet: { path, port: 'http' } })
    const container = {
      ports: [{ name: 'http', containerPort: 8080 }],
      startupProbe: probe('/healthz'),
      livenessProbe: probe('/healthz'),
      readinessProbe: probe('/readyz'),
    }
    expect(the('Deployment')).toMatchObject([
      { spec: { template: { spec: { terminationGracePeriodSeconds: 30, containers: [container] } } } },
    ])
  })

  test('read secrets only from a Secret', () => {
    const env = ['DATABASE_URL', 'OMEN_SIGNING_KEY', 'OMEN_ENCRYPTION_KEY'].map((name) => ({
      name,
      valueFrom: { secretKeyRef: { name: 'omen-server', key: name } },
    }))
    expect(the('Deployment')).toMatchObject([{ spec: { template: { spec: { containers: [{ env }] } } } }])
    const [config] = the('ConfigMap') as unknown as [{ readonly data: Readonly<Record<string, string>> }]
    expect(Object.keys(config.data).filter((name) => /KEY|DATABASE|SECRET|PASSWORD/.test(name))).toEqual([])
  })

  test('keep one pod running, and allow only the necessary connections', () => {
    const selector = { matchLabels: SELECTED }
    expect(the('Deployment')).toMatchObject([{ spec: { replicas: 2, selector } }])
    expect(the('PodDisruptionBudget')).toMatchObject([{ spec: { minAvailable: 1, selector } }])
    expect(the('Service')).toMatchObject([
      { spec: { selector: SELECTED, ports: [{ name: 'http', targetPort: 'http' }] } },
    ])
    expect(the('NetworkPolicy')).toMatchObject([
      { spec: { podSelector: selector, policyTypes: ['Ingress', 'Egress'], ingress: [{ ports: [{ port: 'http' }] }] } },
    ])
    expect(the('Ingress')).toMatchObject([
      {
        spec: {
          rules: [{ http: { paths: [{ backend: { service: { name: 'omen-server', port: { name: 'http' } } } }] } }],
        },
      },
    ])
  })
})

test('compose runs the service without privileges, after its database, and only for this machine', () => {
  const { services, volumes } = parse(read('compose.yaml')) as Readonly<
    Record<string, Readonly<Record<string, unknown>>>
  >
  expect(services?.['omen-server']).toMatchObject({
    build: { context: '..', dockerfile: 'deploy/Dockerfile' },
    depends_on: { database: { condition: 'service_healthy' } },
    ports: ['127.0.0.1:8080:8080'],
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    volumes: ['keys:/var/lib/omen'],
  })
  expect(services?.database).toMatchObject({ healthcheck: { test: expect.arrayContaining(['pg_isready']) } })
  expect(Object.keys(volumes ?? {}).sort()).toEqual(['database', 'keys'])
  const written = new Set([...read('env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name))
  const used = [...read('compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name)
  expect(used.filter((name) => !written.has(name))).toEqual([])
})

test('the image runs as a numeric user that is not root, and copies only existing files', () => {
  const text = read('Dockerfile')
  expect(text).toMatch(/^USER 1000:1000$/m)
  expect(text).toMatch(/^ENTRYPOINT \["omen-server"\]$/m)
  const copied = [...text.matchAll(/^COPY --from=build \/src\/(\S+)/gm)].map(([, path]) => path!)
  const made = new Set(['node_modules', 'packages/web/dist'])
  for (const path of copied.filter((name) => !made.has(name))) expect(existsSync(join(home, '..', path))).toBe(true)
})

test('systemd accepts the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'omen-unit-'))
  try {
    // The program has another path on this machine.
    const unit = read('omen-server.service').replace('/usr/local/bin/omen-server', process.execPath)
    writeFileSync(join(folder, 'omen-server.service'), unit)
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, 'omen-server.service')], {
      encoding: 'utf8',
    })
    expect({ status, messages: stderr.split('\n').filter((line) => line.includes('omen-server.service')) }).toEqual({
      status: 0,
      messages: [],
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
