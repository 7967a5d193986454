/** A kind of object of the server, with its path and its discovery document. */
export interface Resource {
  /** `''` for the core, `apps` … */
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
}

const CORE = { group: '', version: 'v1' }
const APPS = { group: 'apps', version: 'v1' }
const BATCH = { group: 'batch', version: 'v1' }

function resource(
  api: Pick<Resource, 'group' | 'version'>,
  kind: string,
  plural: string,
  ...shortNames: string[]
): Resource {
  return { ...api, kind, plural, singular: kind.toLowerCase(), namespaced: kind !== 'Namespace', shortNames }
}

export const RESOURCES: readonly Resource[] = [
  resource(CORE, 'Pod', 'pods', 'po'),
  resource(CORE, 'Service', 'services', 'svc'),
  resource(CORE, 'Namespace', 'namespaces', 'ns'),
  resource(CORE, 'ConfigMap', 'configmaps', 'cm'),
  resource(CORE, 'ServiceAccount', 'serviceaccounts', 'sa'),
  resource(CORE, 'ReplicationController', 'replicationcontrollers', 'rc'),
  resource(APPS, 'Deployment', 'deployments', 'deploy'),
  resource(APPS, 'ReplicaSet', 'replicasets', 'rs'),
  resource(APPS, 'StatefulSet', 'statefulsets', 'sts'),
  resource(APPS, 'DaemonSet', 'daemonsets', 'ds'),
  resource(BATCH, 'Job', 'jobs'),
  resource(BATCH, 'CronJob', 'cronjobs', 'cj'),
]

/** `v1`, `apps/v1` */
export function groupVersionOf({ group, version }: Pick<Resource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`
}

/** Discovery documents by path. */
export function discovery(path: string): object | undefined {
  if (path === '/version') return VERSION
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: ['apps', 'batch'].map(groupOf) }
  const [, groupVersion] = /^\/apis?\/(v1|(?:apps|batch)\/v1)$/.exec(path) ?? []
  if (groupVersion === undefined) return undefined
  const inGroup = RESOURCES.filter((resource) => groupVersionOf(resource) === groupVersion)
  const log = { name: 'pods/log', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get'] }
  const resources = [...inGroup.map(described), ...(groupVersion === 'v1' ? [log] : [])]
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources }
}

const VERSION = { major: '1', minor: '32', gitVersion: 'v1.32.0', platform: 'linux/amd64', goVersion: 'go1.23.0' }

function groupOf(name: string): object {
  const version = { groupVersion: `${name}/v1`, version: 'v1' }
  return { name, versions: [version], preferredVersion: version }
}

function described({ plural, singular, namespaced, kind, shortNames }: Resource): object {
  const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']
  return { name: plural, singularName: singular, namespaced, kind, verbs, shortNames }
}

/** The parsed path of an object, a list or a log. */
export interface ResourcePath {
  readonly resource: Resource
  readonly namespace: string | undefined
  readonly name: string | undefined
  /** Only `log` is supported. */
  readonly part: string | undefined
}

/** Reads a path; undefined if it is unknown. */
export function readResourcePath(path: string): ResourcePath | undefined {
  const match = RESOURCE_PATH.exec(path)
  if (!match) return undefined
  const [, core, grouped, namespace, plural, name, part] = match.map((text) => text && decodeURIComponent(text))
  const resource = RESOURCES.find(
    (candidate) => candidate.plural === plural && groupVersionOf(candidate) === (core ?? grouped),
  )
  return resource && { resource, namespace, name, part }
}

const RESOURCE_PATH =
  /^\/(?:api\/(v1)|apis\/([^/]+\/[^/]+))(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?$/
