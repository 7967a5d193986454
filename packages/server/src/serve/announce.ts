import { dayOf, inDays } from '../operator/moments.js'
import type { Settings } from '../settings/settings.js'
import { shownDatabase } from '../settings/shown.js'

/**
 * What a person reads when the service has started: where it listens, and what to do first.
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
  const database = databaseUrl === undefined ? `embedded, in ${dataDir}` : shownDatabase(databaseUrl)
  const places = [...urls, ['Database', database] as const].map(([name, place]) => `  ${name.padEnd(10)}  ${place}\n`)
  const address = host.includes(':') ? `[${host}]` : host
  const first = `To begin, issue a code:\n  ${firstCommand(settings)}${dayOf(inDays(now, 30))}\n`
  return `omen-server listens on http://${address}:${port}\n${places.join('')}${hasCodes ? '' : first}`
}

/** The command finds the same data directory when it is typed in another folder. */
function firstCommand({ databaseUrl, dataDir }: Settings): string {
  const folder = databaseUrl === undefined ? `--data-dir ${quoteForShell(dataDir)} ` : ''
  return `omen-server code issue ${folder}--org "Acme" --expires `
}

function quoteForShell(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

/** Loud, because it must never run like this where it counts. */
export const INSECURE_WARNING = `\
************************************************************************
*  WARNING: --allow-insecure-idp is on. Identity providers may be on   *
*  private addresses and without HTTPS: whoever has a code can make    *
*  this server reach into your network. For development only.          *
************************************************************************
`
