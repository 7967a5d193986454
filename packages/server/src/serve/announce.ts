import { dayOf, inDays } from '../operator/moments.js'
import { describeDatabase } from '../settings/describe-settings.js'
import type { Settings } from '../settings/settings.js'

/**
 * The message after the start: the addresses of the service, and the first command.
 *
 * @example
 * announce(settings, { hasCodes: false, now }) // 'omen-server listens on http://127.0.0.1:8080\n…'
 */
export function announce(settings: Settings, { hasCodes, now }: { hasCodes: boolean; now: Date }): string {
  const { host, port, baseUrl, onboardUrl, appUrl, dataDir, databaseUrl } = settings
  const urls = new Map([
    ['Onboarding', onboardUrl],
    ['Sign-in', baseUrl],
    ['App', appUrl],
  ])
  const database = databaseUrl === undefined ? `embedded, in ${dataDir}` : describeDatabase(databaseUrl)
  const rows = [...urls, ['Database', database] as const].map(([name, value]) => `  ${name.padEnd(10)}  ${value}\n`)
  const address = host.includes(':') ? `[${host}]` : host
  const first = `To start, issue a code:\n  ${firstCommand(settings)}${dayOf(inDays(now, 30))}\n`
  return `omen-server listens on http://${address}:${port}\n${rows.join('')}${hasCodes ? '' : first}`
}

/** With the data directory, so that the command works in another folder, too. */
function firstCommand({ databaseUrl, dataDir }: Settings): string {
  const folder = databaseUrl === undefined ? `--data-dir ${quoteForShell(dataDir)} ` : ''
  return `omen-server code issue ${folder}--org "Acme" --expires `
}

function quoteForShell(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

/** Conspicuous, because production must never run like this. */
export const INSECURE_WARNING = `\
************************************************************************
*  WARNING: --allow-insecure-idp is on. Identity providers may have    *
*  private addresses and use HTTP: everybody with a code can make      *
*  this server send requests into your network. For development only.  *
************************************************************************
`
