import { formatLocalTime } from '../console/clock.js'
import { errorLine } from '../console/standard-error.js'
import { formatAmount } from '../console/text/amounts.js'
import { formatTable } from '../console/text/table.js'
import { Failure } from '../failure.js'
import type { Session } from '../session.js'
import { maskPassword } from '../settings/mask-url.js'
import { NAMES } from './messages.js'
import { type Installed, installedVersions, type Offer, type Verdict } from './offers.js'
import { KINDS, type Kind } from './update-state.js'
import { createUpdater, type Updater } from './updater.js'

/** The status of each verdict in the table. */
const STATUSES: Readonly<Record<Verdict, (offer: Offer) => string>> = {
  new: ({ isDeclined }) => (isDeclined ? 'new; declined before' : 'new'),
  current: () => 'up to date',
  older: () => 'older than the installed version: refused',
  pinned: () => 'rulesVersion selects another version',
  elsewhere: () => 'not available for this platform',
}

const HEADER = ['', 'INSTALLED', 'OFFERED', 'SIZE', 'STATUS']

/**
 * `omen updates check`: requests the newest versions, and shows what is installed, what is offered, and the time of the last
 * response. Returns the exit code: 1 if the request fails; then the last response is shown.
 *
 * @example
 * await check({ json: false }, session)
 */
export async function check({ json }: { readonly json: boolean }, session: Session): Promise<number> {
  const { serviceUrl } = session.loaded.settings
  const installed = installedVersions(session.loaded.folder)
  if (serviceUrl === undefined) {
    session.out.write(json ? asJson({ installed, offers: [] }) : withoutService(installed, session))
    return 0
  }
  const updater = createUpdater(session, serviceUrl)
  try {
    const failure = await failureOf(updater.check())
    if (failure) session.err.write(errorLine(failure.kind, failure.message))
    const { checked } = updater.state
    const view = { installed, offers: updater.offers(), service: maskPassword(serviceUrl), checked }
    session.out.write(json ? asJson(view) : render(view, updater, session))
    return failure ? 1 : 0
  } finally {
    updater.close()
  }
}

async function failureOf(work: Promise<unknown>): Promise<Failure | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

interface View {
  readonly installed: Installed
  readonly offers: readonly Offer[]
  readonly service?: string
  readonly checked?: number | undefined
}

function render(view: View, updater: Updater, session: Session): string {
  const { service = '', checked, offers } = view
  const when = checked === undefined ? 'no response yet' : `last response ${formatLocalTime(checked)}`
  const table = formatTable(
    KINDS.flatMap((kind) => rowOf(kind, view)),
    session.out,
    { header: HEADER, right: [3] },
  )
  return `${service}: ${when}\n\n${table}${adviceFor(offers, updater)}`
}

function rowOf(kind: Kind, { installed, offers }: View): readonly (readonly string[])[] {
  const offer = offers.find((candidate) => candidate.kind === kind)
  const current = installed[kind] ?? 'none'
  if (!offer) return kind === 'private' && current === 'none' ? [] : [[NAMES[kind], current, 'none', '', '']]
  const { version, size, notes } = offer
  const status = [STATUSES[offer.verdict](offer), notes].filter((part) => part !== undefined).join(': ')
  return [[NAMES[kind], current, version, size === undefined ? '' : formatAmount(size, 'bytes'), status]]
}

function adviceFor(offers: readonly Offer[], { installation }: Updater): string {
  const updates = offers.filter(({ verdict }) => verdict === 'new')
  const tool = updates.find((offer) => offer.kind === 'tool')
  const lines: string[] = []
  if (updates.some(({ kind }) => kind !== 'tool')) lines.push('Rules: omen updates install')
  if (tool) {
    const url = tool.offer && 'url' in tool.offer ? tool.offer.url : undefined
    const command = installation.replaceable ? 'omen updates install -y' : installation.command(tool.version, url)
    lines.push(`omen:  ${command}`)
  }
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`
}

function withoutService(installed: Installed, session: Session): string {
  const rows = KINDS.flatMap((kind) => {
    const version = installed[kind]
    return version === undefined ? [] : [[NAMES[kind], version]]
  })
  const table = formatTable(rows, session.out, { header: ['', 'INSTALLED'] })
  return `${table}\nNo service is configured. Configure one: omen updates trust <service url>\n`
}

function asJson({ service, checked, installed, offers }: View): string {
  const kinds = KINDS.map((kind) => {
    const offer = offers.find((candidate) => candidate.kind === kind)
    return [kind, { installed: installed[kind] ?? null, offered: offer ? offeredAs(offer) : null }] as const
  })
  const report = {
    service: service ?? null,
    checked: checked === undefined ? null : new Date(checked).toISOString(),
    ...Object.fromEntries(kinds),
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

function offeredAs({ version, size, notes, verdict, isDeclined }: Offer) {
  return { version, size: size ?? null, notes: notes ?? null, verdict, declined: isDeclined }
}
