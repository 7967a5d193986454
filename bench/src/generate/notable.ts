import { wordPhrases } from './phrases.js'

/** The number of phrases of the word-list rules that occur in the log: the same ones for 100 and for 5,000 rules. */
const PHRASES_IN_LOG = 5

/**
 * Messages with the strings that rules match, in harmless lines as often as in real problems. Each rule decides which of
 * them it detects.
 */
export const NOTABLE: readonly string[] = [
  'FATAL: terminating connection due to administrator command',
  'using %{number:2-64} core processors, affinity mask 0x%{hex:4}',
  'connect to %{ip}:%{port} failed: connection refused',
  '[error] %{number:20-40}#%{number:20-40}: *%{digits:5} upstream timed out while reading response header, client: %{client}',
  'authentication of user %{user} took %{duration}',
  'applying migration %{digits:4}_add_%{noun}_to_%{table}',
  'realtime subscription of %{client} closed after %{duration}',
  'read tcp %{ip}:%{digits:5}->%{ip}:%{port}: read: Connection reset by peer',
  'Readiness probe failed: HTTP probe failed with statuscode: 503',
  'open /var/lib/%{service}/%{hex:8}.db: too many open files',
  'rate limit exceeded for client %{client}, try again in %{number:1-60}s',
  'cache eviction of %{digits:4} entries in %{duration}',
  'relation "%{table}" does not exist at character %{number:10-90}',
  'database system is ready to accept connections',
  'clock skew of %{duration} to %{host} detected',
  'container %{service} OOMKilled, restart count %{number:1-9}',
  ...wordPhrases(PHRASES_IN_LOG).map((phrase) => `${phrase} (%{noun} %{hex:8})`),
]
