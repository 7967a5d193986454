import { type ReactNode, useState } from 'react'
import { CopyButton } from '../../controls/copy.js'
import { SelectField } from '../../controls/field.js'
import { type Account, useAccount, useService } from '../account.js'
import { Page } from '../frame/page.js'
import { Link } from '../navigation.js'
import { pathTo, type RouteName } from '../routes.js'
import { useResource } from '../use-resource.js'
import { guessPlatform, installCommand, usableFiles } from './install.js'

/** The home page: the signed-in user, how to install the tool, and links to the other pages. */
export function HomePage() {
  const account = useAccount()
  if (account === undefined) return null
  return (
    <Page title={`Welcome, ${account.name}`} tab="Home" lead={<Who account={account} />}>
      <Start />
      <NextSteps isAdministrator={account.role === 'administrator'} />
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

/** The commands from installing the tool to the first scan. */
function Start() {
  const service = useService()
  const addresses = useResource('addresses', service.readSetup)
  const url = addresses.value?.base_url ?? location.origin
  return (
    <section className="card">
      <h2>Install Omen</h2>
      <ol className="next start">
        <li>
          <p>Install the tool.</p>
          <Install />
        </li>
        <li>
          <p>Trust the rules of this service. Compare the fingerprint with the one from your operator.</p>
          <Command text={`omen updates trust ${url}`} what="the command to trust this service" />
        </li>
        <li>
          <p>Sign in to get the rules of your organization.</p>
          <Command text="omen login" what="the command to sign in" />
        </li>
        <li>
          <p>Scan your logs.</p>
          <Command text="kubectl logs deploy/checkout | omen" what="the command to scan logs" />
        </li>
      </ol>
    </section>
  )
}

function Install() {
  const service = useService()
  const latest = useResource('latest', service.readLatest)
  const files = usableFiles(latest.value?.tool)
  const [chosen, setChosen] = useState<string>()
  const platforms = files.map(({ platform }) => platform)
  const platform = chosen ?? guessPlatform(platforms, navigator.userAgent)
  const file = files.find((other) => other.platform === platform)
  if (latest.value === undefined && latest.pending) return <p className="fine">Looking for the latest version…</p>
  if (file === undefined) {
    return (
      <p className="fine">
        This service offers no download yet. Ask its operator for the <code>omen</code> program.
      </p>
    )
  }
  return (
    <>
      {files.length > 1 && (
        <SelectField
          className="platform"
          label="Platform"
          value={file.platform}
          options={platforms.map((name) => [name, name])}
          onChoose={setChosen}
        />
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

interface Tile {
  readonly to: RouteName
  readonly title: string
  readonly text: string
}

const FOR_EVERYONE: readonly Tile[] = [
  { to: 'rules', title: 'Browse the rules', text: 'Every problem that omen detects, its cause, and what to do.' },
  { to: 'sessions', title: 'Check your sessions', text: 'End every session that you do not recognize.' },
]

const FOR_ADMINISTRATORS: readonly Tile[] = [
  { to: 'members', title: 'Add a second administrator', text: 'One of you can then always help the other.' },
  { to: 'domains', title: 'Add your other e-mail domains', text: 'A DNS record verifies each domain.' },
  { to: 'connection', title: 'Maintain the connection', text: 'Replace the client secret before it expires.' },
  { to: 'tokens', title: 'Create API tokens', text: 'For pipelines and servers, which cannot sign in.' },
  { to: 'audit', title: 'Read the audit log', text: 'Who did what, when, and from where.' },
]

function NextSteps({ isAdministrator }: { readonly isAdministrator: boolean }) {
  return (
    <>
      <Tiles heading="Next steps" tiles={FOR_EVERYONE} />
      {isAdministrator && <Tiles heading="For administrators" tiles={FOR_ADMINISTRATORS} />}
    </>
  )
}

function Tiles({ heading, tiles }: { readonly heading: string; readonly tiles: readonly Tile[] }): ReactNode {
  return (
    <section>
      <h2>{heading}</h2>
      <ul className="tiles">
        {tiles.map(({ to, title, text }) => (
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
