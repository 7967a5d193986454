import { type ReactNode, useId, useState } from 'react'
import { CopyButton } from '../../controls/copy.js'
import { type Account, useAccount, useService } from '../account.js'
import { Page } from '../frame/page.js'
import { Link } from '../navigation.js'
import { pathTo, type RouteName } from '../routes.js'
import { useRemote } from '../use-resource.js'
import { guessPlatform, installCommand, usableFiles } from './install.js'

/** The first page: who one is, how to get the tool running, and where to go on. */
export function HomePage() {
  const account = useAccount()
  if (account === undefined) return null
  return (
    <Page title={`Welcome, ${account.name}`} tab="Home" lead={<Who account={account} />}>
      <Start />
      <GoOn isAdministrator={account.role === 'administrator'} />
    </Page>
  )
}

function Who({ account: { email, organization, role, domains } }: { readonly account: Account }) {
  return (
    <>
      You are signed in as <strong>{email}</strong>, {role === 'administrator' ? 'an administrator' : 'a member'} of{' '}
      <strong>{organization}</strong> ({domains.join(', ')}).
    </>
  )
}

/** From nothing to the first problem found, as commands to copy. */
function Start() {
  const service = useService()
  const addresses = useRemote('addresses', service.readAddresses)
  const url = addresses.value?.base_url ?? location.origin
  return (
    <section className="card">
      <h2>Omen on your machine</h2>
      <ol className="next start">
        <li>
          <p>Install it.</p>
          <Install />
        </li>
        <li>
          <p>Say that you trust the rules of this service, and compare the fingerprint with your operator.</p>
          <Command text={`omen updates trust ${url}`} what="the command to trust this service" />
        </li>
        <li>
          <p>Sign in, for the rules of your organization.</p>
          <Command text="omen login" what="the command to sign in" />
        </li>
        <li>
          <p>Ask what is wrong.</p>
          <Command text="kubectl logs deploy/checkout | omen" what="the command to read logs" />
        </li>
      </ol>
    </section>
  )
}

function Install() {
  const service = useService()
  const latest = useRemote('latest', service.readLatest)
  const id = useId()
  const files = usableFiles(latest.value?.tool ?? null)
  const [chosen, setChosen] = useState<string>()
  const platforms = files.map(({ platform }) => platform)
  const platform = chosen ?? guessPlatform(platforms, navigator.userAgent)
  const file = files.find((other) => other.platform === platform)
  if (latest.value === undefined && latest.pending) return <p className="fine">Looking for the newest version…</p>
  if (file === undefined) {
    return (
      <p className="fine">
        No version is offered here yet. Ask the operator of this service for the <code>omen</code> program, or for a
        release here.
      </p>
    )
  }
  return (
    <>
      {files.length > 1 && (
        <div className="field platform">
          <label htmlFor={id}>Platform</label>
          <div className="input">
            <select id={id} value={platform} onChange={(event) => setChosen(event.target.value)}>
              {platforms.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </div>
        </div>
      )}
      <Command text={installCommand(file)} what="the command to install omen" />
    </>
  )
}

function Command({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div className="command one-line">
      <pre>{text}</pre>
      <CopyButton text={text} what={what} />
    </div>
  )
}

interface Step {
  readonly to: RouteName
  readonly title: string
  readonly text: string
}

const FOR_EVERYBODY: readonly Step[] = [
  { to: 'rules', title: 'Look through the rules', text: 'Every problem that omen knows, its cause, and what to do.' },
  { to: 'sessions', title: 'See where you are signed in', text: 'End sessions that you do not know.' },
]

const FOR_ADMINISTRATORS: readonly Step[] = [
  { to: 'members', title: 'Name a second administrator', text: 'So that one of you can always help the other.' },
  { to: 'domains', title: 'Add your other e-mail domains', text: 'Each is verified by a record in the DNS.' },
  { to: 'connection', title: 'Keep the connection working', text: 'Replace the client secret before it expires.' },
  { to: 'tokens', title: 'Make tokens for machines', text: 'For pipelines and servers, where nobody can sign in.' },
  { to: 'audit', title: 'Read the audit', text: 'Who did what, and from where.' },
]

function GoOn({ isAdministrator }: { readonly isAdministrator: boolean }) {
  return (
    <>
      <Steps heading="From here" steps={FOR_EVERYBODY} />
      {isAdministrator && <Steps heading="For you as an administrator" steps={FOR_ADMINISTRATORS} />}
    </>
  )
}

function Steps({ heading, steps }: { readonly heading: string; readonly steps: readonly Step[] }): ReactNode {
  return (
    <section>
      <h2>{heading}</h2>
      <ul className="tiles">
        {steps.map(({ to, title, text }) => (
          <li key={to}>
            <Link to={pathTo(to)}>
              <b>{title}</b>
              <span>{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
