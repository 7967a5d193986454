import type { Session, SessionList } from '@omen/server/api'
import type { Result } from '../api/request.js'
import { useService } from './account.js'
import type { AppService } from './client.js'
import { ConfirmButton } from './frame/confirm-button.js'
import { Page } from './frame/page.js'
import { ResourceView } from './frame/resource-view.js'
import { SignOut } from './frame/shell.js'
import { RelativeTime } from './frame/time.js'
import { type Resource, useResource } from './use-resource.js'

/** The sessions of the signed-in user, with buttons to end them. */
export function SessionsPage() {
  const service = useService()
  const resource = useResource('sessions', service.listSessions)
  return (
    <Page
      title="Sessions"
      lead="The browsers and tools where you are signed in. End every session that you do not recognize."
    >
      <ResourceView resource={resource} what="your sessions">
        {({ sessions }) => (
          <>
            <ul className="records">
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} resource={resource} />
              ))}
            </ul>
            {sessions.length > 1 && <EndOthers sessions={sessions} resource={resource} />}
          </>
        )}
      </ResourceView>
    </Page>
  )
}

interface RowProps {
  readonly session: Session
  readonly resource: Resource<SessionList>
}

function SessionRow({ session, resource }: RowProps) {
  const service = useService()
  const { id, kind, current, agent, address, created_at, last_seen_at } = session
  const name = kind === 'tool' ? `The omen tool (${describeAgent(agent)})` : describeAgent(agent)
  const remove = () => resource.put({ sessions: (resource.value?.sessions ?? []).filter((other) => other.id !== id) })
  return (
    <li>
      <div>
        <h2 title={agent}>
          {name} {current && <span className="badge">This session</span>}
        </h2>
        <p className="facts">
          <span>From {address}</span>
          <span>
            signed in <RelativeTime at={created_at} />
          </span>
          <span>
            last used <RelativeTime at={last_seen_at} />
          </span>
        </p>
      </div>
      {current ? (
        <SignOut className="secondary" />
      ) : (
        <ConfirmButton
          label="End session"
          name={`End session: ${name}, from ${address}`}
          question="End this session?"
          confirmLabel="End session"
          send={() => endOne(service, id)}
          onSuccess={remove}
        >
          <p>
            {name} at {address} is signed out immediately.
          </p>
        </ConfirmButton>
      )}
    </li>
  )
}

/** A session that has ended in the meantime counts as ended. */
async function endOne(service: AppService, id: string): Promise<Result<true>> {
  const result = await service.endSession(id)
  return !result.ok && result.failure.code === 'not_found' ? { ok: true, value: true } : result
}

function EndOthers({
  sessions,
  resource,
}: {
  readonly sessions: readonly Session[]
  readonly resource: Resource<SessionList>
}) {
  const service = useService()
  const others = sessions.filter(({ current }) => !current)
  const endAll = async (): Promise<Result<true>> => {
    for (const { id } of others) {
      const result = await endOne(service, id)
      if (!result.ok) return result
    }
    return { ok: true, value: true }
  }
  return (
    <div className="actions">
      <ConfirmButton
        label="End all other sessions"
        question="End all other sessions?"
        confirmLabel="End sessions"
        send={endAll}
        onSuccess={resource.reload}
      >
        <p>Every other browser and tool is signed out immediately. You stay signed in here.</p>
      </ConfirmButton>
    </div>
  )
}

/** Patterns in the `User-Agent`. A browser that imitates another is listed before it. */
const BROWSERS = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['omen', /^omen\//],
  ['curl', /^curl\//],
] as const

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bdarwin\b/i],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/i],
] as const

/**
 * Describes a `User-Agent` in a few words.
 *
 * @example
 * describeAgent('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0') // 'Firefox on Linux'
 */
export function describeAgent(agent: string): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(agent))?.[0]
  const system = SYSTEMS.find(([, pattern]) => pattern.test(agent))?.[0]
  if (browser === undefined) return agent === '' ? 'Unknown program' : agent.slice(0, 60)
  return system === undefined ? browser : `${browser} on ${system}`
}
