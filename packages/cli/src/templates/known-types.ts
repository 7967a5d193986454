/** A well-known type of data, for the template. */
export interface KnownType {
  /** The program that writes the logs. */
  readonly about: string
  /** The usual paths; the first is used, the others are comments. */
  readonly paths: readonly [string, ...string[]]
}

function known(about: string, ...paths: [string, ...string[]]): KnownType {
  return { about, paths }
}

/** By the name after `cre.log.`. The paths are those of Debian, of the vendors' packages and of kubelets. */
const KNOWN_TYPES: Readonly<Record<string, KnownType>> = {
  'actions-runner': known('GitHub Actions runner', '/opt/actions-runner/_diag/Runner_*.log'),
  airflow: known('Apache Airflow', '/opt/airflow/logs/**/*.log'),
  alertmanager: known('Prometheus Alertmanager', '/var/log/alertmanager/alertmanager.log'),
  alloy: known('Grafana Alloy', '/var/log/alloy/alloy.log'),
  apache: known('Apache HTTP server', '/var/log/apache2/error.log', '/var/log/httpd/error_log'),
  app: known('Your own programs', '/var/log/app/*.log'),
  argocd: known('Argo CD', '/var/log/pods/argocd_*/*/*.log'),
  artemis: known('ActiveMQ Artemis', '/var/lib/artemis-instance/log/artemis.log'),
  audit: known('Linux audit', '/var/log/audit/audit.log'),
  auth: known('Logins', '/var/log/auth.log', '/var/log/secure'),
  'aws-vpc-cni': known('Amazon VPC CNI', '/var/log/aws-routed-eni/ipamd.log'),
  bookkeeper: known('Apache BookKeeper', '/opt/bookkeeper/logs/*.log'),
  caddy: known('Caddy', '/var/log/caddy/*.log'),
  calico: known('Calico', '/var/log/calico/cni/*.log'),
  cassandra: known('Apache Cassandra', '/var/log/cassandra/system.log'),
  celery: known('Celery workers', '/var/log/celery/*.log'),
  ceph: known('Ceph', '/var/log/ceph/*.log'),
  'cert-manager': known('cert-manager', '/var/log/pods/cert-manager_*/*/*.log'),
  chrony: known('chrony', '/var/log/syslog', '/var/log/messages'),
  cilium: known('Cilium', '/var/log/pods/kube-system_cilium-*/*/*.log'),
  clickhouse: known('ClickHouse', '/var/log/clickhouse-server/clickhouse-server.err.log'),
  cockroachdb: known('CockroachDB', '/var/lib/cockroach/logs/cockroach.log'),
  consul: known('Consul', '/var/log/consul/*.log'),
  containerd: known('containerd', '/var/log/containerd.log', '/var/log/syslog'),
  coredns: known('CoreDNS', '/var/log/pods/kube-system_coredns-*/*/*.log'),
  couchdb: known('CouchDB', '/var/log/couchdb/couchdb.log', '/opt/couchdb/var/log/couchdb.log'),
  datadog: known('Datadog agent', '/var/log/datadog/agent.log'),
  django: known('Django', '/var/log/django/*.log'),
  docker: known('Docker containers', '/var/lib/docker/containers/*/*-json.log'),
  dotnet: known('.NET programs', '/var/log/app/*.log'),
  elasticsearch: known('Elasticsearch', '/var/log/elasticsearch/*.log'),
  envoy: known('Envoy', '/var/log/envoy/*.log'),
  erlang: known('Erlang and Elixir programs', '/var/log/app/*.log'),
  etcd: known('etcd', '/var/log/etcd/etcd.log', '/var/log/pods/kube-system_etcd-*/etcd/*.log'),
  'external-dns': known('ExternalDNS', '/var/log/pods/*_external-dns-*/*/*.log'),
  flink: known('Apache Flink', '/opt/flink/log/*.log'),
  'fluent-bit': known('Fluent Bit', '/var/log/fluent-bit/*.log', '/var/log/pods/*_fluent-bit-*/*/*.log'),
  fluentd: known('Fluentd', '/var/log/fluent/fluentd.log', '/var/log/td-agent/td-agent.log'),
  flux: known('Flux', '/var/log/pods/flux-system_*/*/*.log'),
  gitlab: known('GitLab', '/var/log/gitlab/gitlab-rails/production_json.log'),
  'gitlab-runner': known('GitLab Runner', '/var/log/syslog', '/var/log/messages'),
  go: known('Go programs', '/var/log/app/*.log'),
  grafana: known('Grafana', '/var/log/grafana/grafana.log'),
  gunicorn: known('Gunicorn', '/var/log/gunicorn/*.log'),
  haproxy: known('HAProxy', '/var/log/haproxy.log'),
  harbor: known('Harbor', '/var/log/harbor/*.log'),
  influxdb: known('InfluxDB', '/var/log/influxdb/influxd.log'),
  'ingress-nginx': known('ingress-nginx', '/var/log/pods/ingress-nginx_*/controller/*.log'),
  istio: known('Istio', '/var/log/pods/istio-system_*/*/*.log'),
  java: known('Java programs', '/var/log/app/*.log', '/opt/app/logs/*.log'),
  jenkins: known('Jenkins', '/var/log/jenkins/jenkins.log'),
  kafka: known('Apache Kafka', '/var/log/kafka/server.log', '/opt/kafka/logs/server.log'),
  'kafka-client': known('Programs that use Kafka', '/var/log/app/*.log'),
  'kafka-connect': known('Kafka Connect', '/var/log/kafka/connect.log', '/opt/kafka/logs/connect.log'),
  karpenter: known('Karpenter', '/var/log/pods/*_karpenter-*/*/*.log'),
  keepalived: known('keepalived', '/var/log/syslog', '/var/log/messages'),
  kernel: known('Linux kernel', '/var/log/kern.log', '/var/log/messages'),
  keycloak: known('Keycloak', '/opt/keycloak/data/log/keycloak.log'),
  kibana: known('Kibana', '/var/log/kibana/kibana.log'),
  kong: known('Kong', '/usr/local/kong/logs/error.log'),
  'kube-apiserver': known('Kubernetes API server', '/var/log/pods/kube-system_kube-apiserver-*/*/*.log'),
  kubelet: known('kubelet', '/var/log/kubelet.log', '/var/log/syslog'),
  kubernetes: known('Kubernetes pods', '/var/log/pods/*/*/*.log'),
  'kubernetes-audit': known('Kubernetes audit log', '/var/log/kubernetes/audit/audit.log'),
  logstash: known('Logstash', '/var/log/logstash/logstash-plain.log'),
  loki: known('Grafana Loki', '/var/log/loki/loki.log'),
  mariadb: known('MariaDB', '/var/log/mysql/error.log', '/var/log/mariadb/mariadb.log'),
  memcached: known('memcached', '/var/log/memcached.log'),
  'metrics-server': known('Kubernetes metrics server', '/var/log/pods/kube-system_metrics-server-*/*/*.log'),
  minio: known('MinIO', '/var/log/minio/*.log'),
  mongodb: known('MongoDB', '/var/log/mongodb/mongod.log'),
  multipath: known('Device mapper multipath', '/var/log/syslog', '/var/log/messages'),
  mysql: known('MySQL', '/var/log/mysql/error.log', '/var/log/mysqld.log'),
  nats: known('NATS', '/var/log/nats/nats-server.log'),
  neo4j: known('Neo4j', '/var/log/neo4j/neo4j.log'),
  neutron: known('OpenStack Neutron', '/var/log/neutron/*.log'),
  nginx: known('nginx', '/var/log/nginx/error.log'),
  nodejs: known('Node.js programs', '/var/log/app/*.log'),
  nova: known('OpenStack Nova', '/var/log/nova/*.log'),
  'oauth2-proxy': known('OAuth2 Proxy', '/var/log/pods/*_oauth2-proxy-*/*/*.log'),
  opensearch: known('OpenSearch', '/var/log/opensearch/*.log'),
  'opentelemetry-collector': known('OpenTelemetry Collector', '/var/log/otelcol/*.log'),
  patroni: known('Patroni', '/var/log/patroni/patroni.log'),
  pgbackrest: known('pgBackRest', '/var/log/pgbackrest/*.log'),
  pgbouncer: known('PgBouncer', '/var/log/postgresql/pgbouncer.log', '/var/log/pgbouncer/pgbouncer.log'),
  php: known('PHP-FPM', '/var/log/php*-fpm.log'),
  postfix: known('Postfix', '/var/log/mail.log', '/var/log/maillog'),
  postgresql: known('PostgreSQL', '/var/log/postgresql/*.log', '/var/lib/pgsql/data/log/*.log'),
  prometheus: known('Prometheus', '/var/log/prometheus/prometheus.log'),
  pulsar: known('Apache Pulsar', '/var/log/pulsar/*.log'),
  puma: known('Puma', '/var/log/puma/*.log'),
  python: known('Python programs', '/var/log/app/*.log'),
  rabbitmq: known('RabbitMQ', '/var/log/rabbitmq/*.log'),
  redis: known('Redis', '/var/log/redis/redis-server.log'),
  redpanda: known('Redpanda', '/var/log/redpanda/redpanda.log'),
  rust: known('Rust programs', '/var/log/app/*.log'),
  scylladb: known('ScyllaDB', '/var/log/syslog', '/var/log/messages'),
  solr: known('Apache Solr', '/var/solr/logs/solr.log'),
  spark: known('Apache Spark', '/opt/spark/logs/*.out'),
  spicedb: known('SpiceDB', '/var/log/spicedb/*.log'),
  squid: known('Squid', '/var/log/squid/cache.log'),
  ssh: known('SSH server', '/var/log/auth.log', '/var/log/secure'),
  syslog: known('System log', '/var/log/syslog', '/var/log/messages'),
  systemd: known('systemd', '/var/log/syslog', '/var/log/messages'),
  temporal: known('Temporal', '/var/log/temporal/*.log'),
  terraform: known('Terraform', './terraform.log'),
  thanos: known('Thanos', '/var/log/pods/*_thanos-*/*/*.log'),
  tomcat: known('Apache Tomcat', '/var/log/tomcat*/catalina.out', '/opt/tomcat/logs/catalina.out'),
  traefik: known('Traefik', '/var/log/traefik/traefik.log'),
  varnish: known('Varnish', '/var/log/syslog', '/var/log/messages'),
  vault: known('HashiCorp Vault', '/var/log/vault/vault.log'),
  vector: known('Vector', '/var/log/syslog', '/var/log/messages'),
  vllm: known('vLLM', '/var/log/pods/*_vllm-*/*/*.log'),
  zookeeper: known('Apache ZooKeeper', '/var/log/zookeeper/zookeeper.log'),
}

/** Synonyms. */
const ALSO_CALLED: Readonly<Record<string, string>> = {
  elastic: 'elasticsearch',
  golang: 'go',
  httpd: 'apache',
  k8s: 'kubernetes',
  mongo: 'mongodb',
  node: 'nodejs',
  otel: 'opentelemetry-collector',
  otelcol: 'opentelemetry-collector',
  'php-fpm': 'php',
  postgres: 'postgresql',
  sshd: 'ssh',
}

/**
 * The entry for a source type such as `cre.log.kafka`, or for its parent: `cre.log.kafka.connect` is a kind of it. Undefined for an
 * unknown type.
 *
 * @example
 * findKnownType('cre.log.kafka')?.paths[0]   // '/var/log/kafka/server.log'
 */
export function findKnownType(type: string): KnownType | undefined {
  const name = shortName(type).toLowerCase()
  const [family = ''] = name.split('.')
  for (const candidate of [name, family]) {
    const meant = Object.hasOwn(ALSO_CALLED, candidate) ? ALSO_CALLED[candidate]! : candidate
    if (Object.hasOwn(KNOWN_TYPES, meant)) return KNOWN_TYPES[meant]
  }
  return undefined
}

/** The specific part of a type: `kafka` of `cre.log.kafka`. */
export function shortName(type: string): string {
  return type.replace(/^cre\.(?:log\.)?(?=.)/, '')
}
