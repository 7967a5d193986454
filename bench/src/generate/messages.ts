import { NOTABLE } from './notable.js'
import type { Random } from './random.js'
import { expand } from './template.js'

export type Level = 'debug' | 'info' | 'warn' | 'error'

/** An event, before a program formats it. */
export interface Event {
  readonly level: Level
  /** With unfilled slots. */
  readonly text: string
  /** Lines after the message: a stack trace, mostly empty. */
  readonly trace: readonly string[]
}

const LEVELS: readonly Level[] = ['info', 'info', 'info', 'debug', 'info', 'info', 'warn', 'info', 'debug', 'error']

/** From common to rare, as they are picked. */
const MESSAGES: Record<Level, readonly string[]> = {
  info: [
    'request completed method=%{method} path=%{path} status=%{status} duration=%{duration} request_id=%{uuid}',
    '%{noun} %{verb} in %{duration}',
    'Processed %{number:1-500} %{noun}s from %{topic}-%{number:0-31} up to offset %{digits:8}',
    'Started %{noun} %{hex:12} for user %{digits:5}',
    'GET %{path} %{status} %{size} %{duration}',
    '%{noun} %{digits:6} %{verb}, %{number:0-90} %{adjective} %{noun}s left',
    'Syncing %{service} in namespace %{namespace}, generation %{number:1-300}',
    'health check ok component=%{component} latency=%{duration}',
    'Reconciled %{namespace}/%{service} successfully, requeue in %{number:10-60}s',
    'Published message %{uuid} to %{topic} partition %{number:0-31} offset %{digits:8} size %{size}',
    'User %{user} signed in from %{client} (%{city}) session %{hex:16}',
    'cache refresh: %{digits:5} entries, %{number:60-99}.%{digits:2}% hit rate, %{size} bytes',
    'Snapshot %{hex:8} %{verb}: %{digits:4} files, %{digits:7} bytes, took %{duration}',
    'Flushing memtable for keyspace %{table} (%{digits:8} bytes, %{digits:5} operations)',
    'Configuration loaded from /etc/%{service}/config.yaml, %{number:1-40} keys',
    'Elected %{service}-%{number:0-5} for %{component}, term %{digits:4}',
    'Listening on 0.0.0.0:%{port} with %{number:2-16} workers',
    'Pulled image registry.example.com/%{namespace}/%{service}:%{number:1-9}.%{number:0-30}.%{number:0-9} in %{duration}',
    'Rolling %{noun} log at %{digits:8} bytes, keeping %{number:3-30} files',
    'Discount “spring” applied to cart %{hex:12} by %{user}: −%{number:5-40} %',
  ],
  debug: [
    '%{component}: %{noun} %{hex:16} %{verb} (%{number:1-64} of %{number:64-256})',
    'sql: SELECT * FROM %{table} WHERE id = %{digits:6} LIMIT %{number:1-100} took %{duration}',
    'heartbeat from %{ip}:%{port} rtt %{duration}',
    'lookup %{service}.%{namespace}.svc.cluster.local -> %{ip} (ttl %{number:5-30})',
    'trace_id=%{hex:16}%{hex:16} span_id=%{hex:16} %{noun} %{verb}',
    'headers: content-type=application/json content-length=%{size} x-request-id=%{uuid}',
    'gc: %{digits:4} objects, %{number:1-90} ms pause, heap %{digits:3} MB',
    'waiting for %{adjective} %{noun} on %{component}, queue depth %{number:0-500}',
  ],
  warn: [
    'slow %{noun}: %{digits:4} ms for %{method} %{path}',
    'retrying %{noun} %{hex:8} after %{reason}, attempt %{number:1-5} of 5',
    'queue depth %{digits:4} above threshold %{number:100-900} for %{component}',
    'Deprecated field "%{noun}" used by %{service}, please move to "%{noun}_v2"',
    'consumer lag %{digits:5} on %{topic}-%{number:0-31} exceeds limit',
    'no response from %{ip}:%{port} within %{duration}, will try again',
    'disk usage at %{number:80-94}% on /var/lib/%{service}',
  ],
  error: [
    'failed to handle %{noun} %{uuid}: %{reason} after %{duration}',
    'could not parse %{noun} from %{client}: unexpected character at %{number:1-400}',
    'upload of %{hex:12}.jpg by user %{digits:5} rejected: too large (%{digits:8} bytes)',
    'job %{noun}-%{hex:6} exited with code 1 after %{duration}',
    'payment %{uuid} declined by issuer: insufficient funds',
    '%{class}: %{adjective} %{noun} %{digits:6} not found',
  ],
}

const TRACES: readonly (readonly string[])[] = [
  [
    'java.lang.IllegalStateException: %{adjective} %{noun} %{digits:6}',
    '\tat %{package}.%{class}.handle(%{class}.java:%{number:20-900})',
    '\tat %{package}.%{class}.lambda$run$%{number:0-9}(%{class}.java:%{number:20-900})',
    '\tat %{package}.%{class}.invoke(%{class}.java:%{number:20-900})',
    '\tat java.base/java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1136)',
    '\tat java.base/java.lang.Thread.run(Thread.java:833)',
    'Caused by: java.util.concurrent.TimeoutException: %{noun} %{reason}',
    '\tat %{package}.%{class}.await(%{class}.java:%{number:20-900})',
    '\t... %{number:5-60} more',
  ],
  [
    'Traceback (most recent call last):',
    '  File "/srv/%{service}/app/%{component}.py", line %{number:10-600}, in %{noun}',
    '    result = self.%{component}.%{noun}(%{noun}_id)',
    '  File "/usr/lib/python3.11/site-packages/%{component}/base.py", line %{number:10-600}, in wrapper',
    '    return await handler(*args, **kwargs)',
    "KeyError: '%{noun}_%{digits:4}'",
  ],
  [
    'goroutine %{digits:4} [running]:',
    'main.(*%{class}).Handle(0xc000%{hex:6}, {0x%{hex:6}, 0xc000%{hex:6}})',
    '\t/src/%{service}/%{gofile}:%{number:20-900} +0x%{hex:3}',
    'created by net/http.(*Server).Serve in goroutine %{number:1-90}',
    '\t/usr/local/go/src/net/http/server.go:3086 +0x5cb',
  ],
]

export function ordinaryEvent(random: Random): Event {
  const level = random.pick(LEVELS)
  return { level, text: expand(random.skewed(MESSAGES[level]), random), trace: [] }
}

export function traceEvent(random: Random): Event {
  const text = expand(random.skewed(MESSAGES.error), random)
  return { level: 'error', text, trace: random.pick(TRACES).map((line) => expand(line, random)) }
}

/** A message that contains a string that a rule matches. */
export function notableEvent(random: Random): Event {
  return { level: 'error', text: expand(random.pick(NOTABLE), random), trace: [] }
}
