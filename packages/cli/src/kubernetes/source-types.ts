import { quote } from '@omen/engine/messages'
import { Failure } from '../failure.js'
import type { Pod, PodContainer } from './pod.js'

/** Every rule runs on this type. */
const ANY = '*'

/** The images and containers whose logs have a type. */
interface TypeRow {
  readonly type: string
  /** The last part of the image name, or its last two, without registry and tag. */
  readonly images: readonly string[]
  /** Container names, for unknown images. */
  readonly containers?: readonly string[]
}

/** The image is more important than the container name. */
export const SOURCE_TYPES: readonly TypeRow[] = [
  { type: 'cre.log.actions-runner', images: ['actions-runner', 'gha-runner-scale-set-controller'] },
  { type: 'cre.log.airflow', images: ['airflow'] },
  { type: 'cre.log.alertmanager', images: ['alertmanager'], containers: ['alertmanager'] },
  { type: 'cre.log.apache', images: ['httpd', 'apache'] },
  { type: 'cre.log.argocd', images: ['argocd'] },
  { type: 'cre.log.artemis', images: ['activemq-artemis', 'artemis'] },
  { type: 'cre.log.bookkeeper', images: ['bookkeeper'] },
  { type: 'cre.log.caddy', images: ['caddy'], containers: ['caddy'] },
  { type: 'cre.log.cassandra', images: ['cassandra', 'cass-management-api'], containers: ['cassandra'] },
  { type: 'cre.log.ceph', images: ['ceph'] },
  {
    type: 'cre.log.cert-manager',
    images: ['cert-manager-controller', 'cert-manager-cainjector', 'cert-manager-webhook'],
    containers: ['cert-manager', 'cert-manager-controller'],
  },
  { type: 'cre.log.clickhouse', images: ['clickhouse-server', 'clickhouse'], containers: ['clickhouse'] },
  { type: 'cre.log.cockroachdb', images: ['cockroach', 'cockroachdb'] },
  { type: 'cre.log.consul', images: ['consul'], containers: ['consul'] },
  { type: 'cre.log.coredns', images: ['coredns'], containers: ['coredns'] },
  { type: 'cre.log.elasticsearch', images: ['elasticsearch'], containers: ['elasticsearch'] },
  { type: 'cre.log.envoy', images: ['envoy', 'proxyv2', 'contour/envoy'], containers: ['envoy', 'istio-proxy'] },
  { type: 'cre.log.etcd', images: ['etcd'], containers: ['etcd'] },
  { type: 'cre.log.flink', images: ['flink'] },
  { type: 'cre.log.fluent-bit', images: ['fluent-bit', 'aws-for-fluent-bit'], containers: ['fluent-bit'] },
  { type: 'cre.log.fluentd', images: ['fluentd', 'fluentd-kubernetes-daemonset'], containers: ['fluentd'] },
  {
    type: 'cre.log.flux',
    images: ['source-controller', 'kustomize-controller', 'helm-controller', 'notification-controller'],
  },
  { type: 'cre.log.gitlab-runner', images: ['gitlab-runner'] },
  { type: 'cre.log.haproxy', images: ['haproxy', 'haproxy-ingress', 'kubernetes-ingress'], containers: ['haproxy'] },
  { type: 'cre.log.ingress-nginx', images: ['ingress-nginx/controller', 'nginx-ingress-controller'] },
  { type: 'cre.log.istio', images: ['pilot', 'istiod'], containers: ['discovery', 'istiod'] },
  { type: 'cre.log.kafka-connect', images: ['cp-kafka-connect', 'kafka-connect', 'debezium/connect'] },
  { type: 'cre.log.kafka', images: ['kafka', 'cp-kafka', 'cp-server', 'kafka-native'], containers: ['kafka'] },
  { type: 'cre.log.karpenter', images: ['karpenter', 'karpenter/controller'] },
  { type: 'cre.log.keycloak', images: ['keycloak'], containers: ['keycloak'] },
  { type: 'cre.log.kong', images: ['kong', 'kong-gateway'] },
  {
    type: 'cre.log.kubernetes',
    images: ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy', 'cluster-autoscaler'],
  },
  { type: 'cre.log.loki', images: ['loki'], containers: ['loki'] },
  { type: 'cre.log.minio', images: ['minio'], containers: ['minio'] },
  {
    type: 'cre.log.mongodb',
    images: ['mongo', 'mongodb', 'mongodb-community-server'],
    containers: ['mongod', 'mongodb'],
  },
  {
    type: 'cre.log.mysql',
    images: ['mysql', 'mysql-server', 'mariadb', 'percona-server', 'percona-xtradb-cluster'],
    containers: ['mysql', 'mysqld', 'mariadb'],
  },
  { type: 'cre.log.nats', images: ['nats', 'nats-server'], containers: ['nats'] },
  { type: 'cre.log.nginx', images: ['nginx', 'nginx-unprivileged', 'openresty'], containers: ['nginx'] },
  { type: 'cre.log.oauth2-proxy', images: ['oauth2-proxy'], containers: ['oauth2-proxy'] },
  {
    type: 'cre.log.otelcol',
    images: ['opentelemetry-collector', 'opentelemetry-collector-contrib', 'opentelemetry-collector-k8s', 'otelcol'],
    containers: ['otc-container'],
  },
  { type: 'cre.log.patroni', images: ['patroni', 'spilo', 'spilo-15', 'spilo-16', 'spilo-17'] },
  { type: 'cre.log.pgbackrest', images: ['pgbackrest'], containers: ['pgbackrest'] },
  { type: 'cre.log.pgbouncer', images: ['pgbouncer'], containers: ['pgbouncer'] },
  {
    type: 'cre.log.postgresql',
    images: ['postgres', 'postgresql', 'postgis', 'timescaledb'],
    containers: ['postgres', 'postgresql'],
  },
  { type: 'cre.log.prometheus', images: ['prometheus'], containers: ['prometheus'] },
  { type: 'cre.log.rabbitmq', images: ['rabbitmq'], containers: ['rabbitmq'] },
  { type: 'cre.log.redis', images: ['redis', 'valkey', 'redis-stack-server'], containers: ['redis', 'valkey'] },
  { type: 'cre.log.scylladb', images: ['scylla', 'scylladb'] },
  { type: 'cre.log.spark', images: ['spark', 'spark-py'] },
  { type: 'cre.log.temporal', images: ['temporalio/server', 'temporalio/auto-setup'] },
  { type: 'cre.log.thanos', images: ['thanos'] },
  { type: 'cre.log.traefik', images: ['traefik'], containers: ['traefik'] },
  { type: 'cre.log.varnish', images: ['varnish'] },
  { type: 'cre.log.vault', images: ['vault', 'openbao'], containers: ['vault'] },
  { type: 'cre.log.vector', images: ['vector'], containers: ['vector'] },
  { type: 'cre.log.vllm', images: ['vllm-openai', 'vllm'] },
  { type: 'cre.log.zookeeper', images: ['zookeeper', 'cp-zookeeper'], containers: ['zookeeper'] },
]

const BY_IMAGE = new Map(SOURCE_TYPES.flatMap(({ type, images }) => images.map((image) => [image, type] as const)))
const BY_CONTAINER = new Map(
  SOURCE_TYPES.flatMap(({ type, containers = [] }) => containers.map((name) => [name, type] as const)),
)

/** The annotation for all containers of a pod, and the prefix of the annotation for one container. */
export const POD_ANNOTATION = 'omen.dev/source-type'
export const CONTAINER_ANNOTATION = 'source-type.omen.dev/'

/** A valid type; other values of an annotation are ignored. */
export const TYPE = /^(?:\*|[a-z0-9][a-z0-9._-]{0,99})$/i

/** The types of the command line, by container name. */
export type ChosenTypes = ReadonlyMap<string, string>

/** The key of the type for all containers. */
export const EVERY_CONTAINER = ''

/**
 * The type of a container's log: from the command line, the annotations of the pod, the image, or the container name; otherwise
 * `*`, which runs every rule.
 *
 * @example
 * sourceTypeOf(pod, { name: 'broker', image: 'docker.io/bitnami/kafka:3.9' }, new Map()) // 'cre.log.kafka'
 */
export function sourceTypeOf(
  { annotations }: Pick<Pod, 'annotations'>,
  { name, image }: Pick<PodContainer, 'name' | 'image'>,
  chosen: ChosenTypes,
): string {
  const configured = [
    chosen.get(name),
    chosen.get(EVERY_CONTAINER),
    annotations[`${CONTAINER_ANNOTATION}${name}`],
    annotations[POD_ANNOTATION],
  ].find((type) => type !== undefined && TYPE.test(type))
  if (configured !== undefined) return configured
  const parts = withoutTag(image).split('/')
  return BY_IMAGE.get(parts.slice(-2).join('/')) ?? BY_IMAGE.get(parts.at(-1) ?? '') ?? BY_CONTAINER.get(name) ?? ANY
}

/** `registry:5000/bitnami/kafka:3.9@sha256:…` → `registry:5000/bitnami/kafka` */
function withoutTag(image: string): string {
  return image.replace(/@.*$/, '').replace(/:[^/:]*$/, '')
}

/**
 * Reads the values of `--source-type`: a type for all containers, or `<container>=<type>`.
 *
 * @example
 * readTypes(['cre.log.app', 'broker=cre.log.kafka'])
 */
export function readTypes(values: readonly string[]): ChosenTypes {
  return new Map(
    values.map((value) => {
      const [, container = EVERY_CONTAINER, type = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(value) ?? []
      if (TYPE.test(type)) return [container, type]
      throw new Failure('Usage', `--source-type takes a type such as cre.log.kafka, not ${quote(value)}`, {
        hint: 'For one container: --source-type broker=cre.log.kafka',
      })
    }),
  )
}
