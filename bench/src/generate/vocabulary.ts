/**
 * The words of the generated logs, each list from common to rare: a field takes the word of rank r with a weight of 1/r.
 * Strings that rules match are in notable.ts and never here, so that no rule fires on an ordinary line.
 */
export const FIELDS = {
  service: words(`gateway checkout catalog orders payments search inventory sessions billing shipping pricing
    recommendations profiles notifications ledger invoices webhooks thumbnails exports geocoder fraud-detector tax-engine`),
  namespace: words('default production kube-system monitoring payments ingress staging data-platform batch tools'),
  app: words(`kubelet systemd sshd dockerd containerd CRON chronyd NetworkManager rsyslogd dhclient kernel sudo
    postfix/smtpd unattended-upgrades node_exporter`),
  host: words(
    'ip-10-0-%{number:1-9}-%{number:10-250} node-%{number:1-40} worker-%{number:1-64} db-%{number:1-6} edge-%{number:1-12}',
  ),
  pod: words('%{service}-%{hex:8}-x%{hex:4} %{service}-%{number:0-5} %{service}-worker-%{hex:8}-z%{hex:4}'),
  ip: words(
    '10.%{number:0-3}.%{number:0-255}.%{number:1-254} 172.16.%{number:0-31}.%{number:1-254} 192.168.%{number:0-9}.%{number:1-254} 203.0.113.%{number:1-254} 198.51.100.%{number:1-254}',
  ),
  client: words(
    '10.0.%{number:0-9}.%{number:1-254} 203.0.113.%{number:1-254} 198.51.100.%{number:1-254} 2001:db8:%{hex:4}::%{hex:4}',
  ),
  port: words('8080 443 5432 6379 9092 9090 3000 50051 27017 2379'),
  method: words('GET GET GET POST GET PUT DELETE PATCH HEAD OPTIONS'),
  status: words('200 200 200 204 304 201 302 404 301 400 401 403 499 500'),
  path: lines(`/healthz
    /api/v1/%{resource}
    /api/v1/%{resource}/%{digits:6}
    /metrics
    /api/v1/%{resource}?page=%{number:1-40}&limit=50
    /api/v2/%{resource}/%{uuid}
    /static/js/main.%{hex:8}.js
    /static/css/app.%{hex:8}.css
    /
    /favicon.ico
    /api/v1/%{resource}/%{digits:6}/%{resource}
    /graphql
    /assets/img/%{hex:12}.webp
    /login
    /api/v1/search?q=%{noun}+%{noun}&sort=newest`),
  resource: words(
    'orders users products carts items sessions invoices payments addresses events reviews shipments devices tokens',
  ),
  agent:
    lines(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%{number:110-131}.0.0.0 Safari/537.36
    kube-probe/1.%{number:27-31}
    Mozilla/5.0 (iPhone; CPU iPhone OS 17_%{number:0-6} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.%{number:0-6} Mobile/15E148 Safari/604.1
    Prometheus/2.%{number:40-54}.0
    Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0
    Go-http-client/1.1
    okhttp/4.12.0
    curl/8.%{number:0-9}.1
    python-requests/2.31.0
    Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`),
  referer: lines(`-
    https://shop.example.com/
    https://shop.example.com/category/%{noun}
    https://www.google.com/`),
  user: words('alice bob carol svc-deploy dave erin svc-backup mallory frank grace heidi jürgen søren zoë'),
  noun: words(`request connection session order user message batch record topic partition file job queue worker token
    cache response payload consumer node offset segment snapshot index bucket lease shard region replica checkpoint
    schema document row column cursor stream buffer channel handler listener scheduler reconciler manifest quota`),
  verb: words(`completed started received processed updated created loaded accepted finished scheduled closed opened
    flushed refreshed stored published consumed acknowledged assigned released synchronized restored compacted rotated`),
  adjective: words('new current next local remote pending active idle empty stale primary secondary partial temporary'),
  reason: words(`timeout retry shutdown rebalance expiry cancellation maintenance throttling eviction-policy
    backpressure drain`),
  component: words(`api http worker scheduler cache store auth-cache router queue metrics indexer controller
    replicator resolver planner compactor`),
  class: words(`OrderService PaymentClient SessionManager KafkaConsumer HikariPool RequestFilter CacheLoader
    InventoryRepository JobRunner MetricsReporter ObjectMapper TransactionTemplate`),
  package: words(
    'com.example.shop com.example.billing org.apache.kafka.clients org.springframework.web io.netty.channel com.zaxxer.hikari',
  ),
  thread: words(
    'main http-nio-8080-exec-%{number:1-20} pool-%{number:1-5}-thread-%{number:1-16} scheduling-1 kafka-coordinator-heartbeat-thread',
  ),
  gofile: words(
    'server.go handler.go client.go controller.go reconcile.go store.go cache.go kubelet.go proxier.go reflector.go',
  ),
  topic: words('orders payments inventory-events audit clickstream __consumer_offsets notifications user-profiles'),
  table: words('orders users order_items sessions products audit_log payments inventory'),
  duration: words(
    '%{number:1-99}ms %{number:100-999}ms %{number:1-9}.%{digits:3}s %{number:100-900}µs 1m%{number:10-59}s',
  ),
  size: words('%{digits:3} %{digits:4} %{digits:5} %{digits:2} %{digits:6} 0 %{digits:7}'),
  city: words('Berlin Paris London Zürich München Kraków São_Paulo 東京 Málaga'),
} as const satisfies Record<string, readonly string[]>

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

/** Strings that contain spaces, one per line. */
function lines(text: string): readonly string[] {
  return text.split('\n').map((line) => line.trim())
}
