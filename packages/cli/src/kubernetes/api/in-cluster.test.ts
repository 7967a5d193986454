import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { selfSigned } from '../../../test/certificate.js'
import { READS_PODS } from '../../../test/cluster/authorizer.js'
import { pod } from '../../../test/cluster/objects.js'
import { type Cluster, startCluster } from '../../../test/cluster/server.js'
import { readText } from './api.js'
import { isInCluster, openInCluster, ownNamespace } from './in-cluster.js'

const PODS = '/api/v1/namespaces/default/pods'
const user = { name: 'system:serviceaccount:default:omen', rules: READS_PODS }
const tls = selfSigned('localhost')
const { signal } = new AbortController()

let folder: string
let cluster: Cluster
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'omen-account-'))
  for (const [name, text] of Object.entries({ token: 'first\n', namespace: 'default', 'ca.crt': tls.cert })) {
    writeFileSync(join(folder, name), text)
  }
  cluster = await startCluster({ tls, objects: [pod('web')], users: { first: user, second: user } })
})
afterAll(async () => {
  await cluster.close()
  rmSync(folder, { recursive: true })
})

const environment = () => ({ KUBERNETES_SERVICE_HOST: 'localhost', KUBERNETES_SERVICE_PORT: String(cluster.port) })

it('a pod is recognized by its service account', () => {
  expect(isInCluster(environment(), folder)).toBe(true)
  expect(ownNamespace(environment(), folder)).toBe('default')
  expect(isInCluster({}, folder)).toBe(false)
  expect(isInCluster(environment(), join(folder, 'nowhere'))).toBe(false)
  expect(ownNamespace({}, folder)).toBeUndefined()
})

it('every request sends the token that is mounted at that time', async () => {
  const api = openInCluster(environment(), 2, folder)
  expect(JSON.parse(await readText(await api.get(PODS, signal), 1 << 20)).items).toHaveLength(1)
  writeFileSync(join(folder, 'token'), 'second\n')
  await readText(await api.get(PODS, signal), 1 << 20)
  expect(cluster.requests.map(({ token }) => token)).toEqual(['first', 'second'])
  writeFileSync(join(folder, 'token'), 'expired\n')
  await expect(api.get(PODS, signal)).rejects.toMatchObject({ status: 401 })
  await api.close()
})

it('no request is sent to a server with a certificate of another CA', async () => {
  writeFileSync(join(folder, 'ca.crt'), selfSigned('localhost').cert)
  const api = openInCluster(environment(), 2, folder)
  await expect(api.get(PODS, signal)).rejects.toMatchObject({ name: 'Unreachable' })
  await api.close()
})
