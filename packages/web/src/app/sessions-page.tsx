import type { Answer } from '../api/request.js'
import { useService } from './account.js'
import type { AppService } from './api/client.js'
import type { Session, SessionList } from './api/messages.js'
import { AskFirst } from './frame/confirm-button.js'
import { Page } from './frame/page.js'
import { Shown } from './frame/resource-view.js'
import { SignOut } from './frame/shell.js'
import { Moment } from './frame/time.js'
import { type Remote, useRemote } from './use-resource.js'

/** Where somebody is signed in, and how that ends. */
export function SessionsPage() {
  const service = useService()
  const remote = useRemote('sessions', service.listSessions)
  return (
    <Page title="Where you are signed in" tab="Sessions" lead="End what you do not know, or do not need any more.">
      <Shown remote={remote} what="your sessions">
        {({ sessions }) => (
          <>
            <ul className="records">
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} remote={remote} />
              ))}
            </ul>
            {sessions.length > 1 && <EndOthers sessions={sessions} remote={remote} />}
          </>
        )}
      </Shown>
    </Page>
  )
}

interface RowProps {
  readonly session: Session
  readonly remote: Remote<SessionList>
}

function SessionRow({ session, remote }: RowProps) {
  const service = useService()
  const { id, kind, current, agent, address, created_at, last_seen_at } = session
  const name = kind === 'tool' ? `The omen tool (${describeAgent(agent)})` : describeAgent(agent)
  const gone = () => remote.put({ sessions: (remote.value?.sessions ?? []).filter((other) => other.id !== id) })
  return (
    <li>
      <div>
        <h2 title={agent}>
          {name} {current && <span className="badge">This one</span>}
        </h2>
        <p className="facts">
          <span>From {address}</span>
          <span>
            signed in <Moment at={created_at} />
          </span>
          <span>
            last used <Moment at={last_seen_at} />
          </span>
        </p>
      </div>
      {current ? (
        <SignOut className="secondary" />
      ) : (
        <AskFirst
          label="End it"
          name={`End it: ${name}, from ${address}`}
          question="End this session?"
          yes="End it"
          make={() => endOne(service, id)}
          done={gone}
        >
          <p>
            {name}, from {address}, is signed out at once.
          </p>
        </AskFirst>
      )}
    </li>
  )
}

/** One that has ended meanwhile is what was wanted. */
async function endOne(service: AppService, id: string): Promise<Answer<true>> {
  const answer = await service.endSession(id)
  return !answer.ok && answer.failure.code === 'not_found' ? { ok: true, value: true } : answer
}

function EndOthers({
  sessions,
  remote,
}: {
  readonly sessions: readonly Session[]
  readonly remote: Remote<SessionList>
}) {
  const service = useService()
  const others = sessions.filter(({ current }) => !current)
  const endAll = async (): Promise<Answer<true>> => {
    for (const { id } of others) {
      const answer = await endOne(service, id)
      if (!answer.ok) return answer
    }
    return { ok: true, value: true }
  }
  return (
    <div className="actions">
      <AskFirst
        label="End all others"
        question="End all other sessions?"
        yes={`End ${others.length}`}
        make={endAll}
        done={remote.reload}
      >
        <p>Every other browser and tool of yours is signed out at once. You stay signed in here.</p>
      </AskFirst>
    </div>
  )
}

/** Browsers by what they call themselves. Those that pretend to be others stand before them. */
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
 * Says in a few words what a `User-Agent` means.
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
