import { isWebAddress } from '../../api/request.js'
import { CopyValue } from '../../controls/copy.js'
import { Icon } from '../../controls/icon.js'
import { guideOf } from '../providers/providers.js'
import type { StepProps } from './step.js'
import { StepFrame } from './step-frame.js'

/** What comes after the fourth step: where people sign in, and what the administrator should do now. */
export function DoneStep({ progress, change }: StepProps) {
  const guide = guideOf(progress.providerId)
  const { login_url = '', app_url = '' } = progress.completion ?? {}
  const domain = progress.domain === '' ? 'your domain' : progress.domain.trim().toLowerCase()
  return (
    <StepFrame
      step="done"
      title={
        progress.orgName.trim() === '' ? 'Your organization is connected' : `${progress.orgName.trim()} is connected`
      }
      lead={`People with an address at ${domain} can sign in to Omen now.`}
    >
      <dl className="addresses">
        <dt>Login address</dt>
        <dd>
          <CopyValue value={login_url} what="the login address" />
        </dd>
        <dt>Omen</dt>
        <dd>
          <CopyValue value={app_url} what="the address of Omen" />
        </dd>
      </dl>
      {isWebAddress(login_url) && (
        <p className="actions">
          <a className="primary" href={login_url} target="_blank" rel="noopener noreferrer">
            Sign in now <Icon name="open" />
            <span className="off-screen"> (opens a new tab)</span>
          </a>
        </p>
      )}
      <h2>What to do next</h2>
      <ol className="next">
        <li>Sign in yourself, in a private window: it shows what your people will see.</li>
        <li>
          Assign the people and groups who may use Omen, in{' '}
          {guide.id === 'other' ? 'your identity provider' : guide.name}.
        </li>
        <li>Tell them the login address, or that Omen’s icon is among their applications.</li>
        {guide.afterwards !== undefined && <li>{guide.afterwards}</li>}
        <li>
          To change the connection later, sign in to Omen and open Organization, then Connection. The old one works
          until you switch.
        </li>
      </ol>
      <p className="actions">
        <button type="button" className="secondary" onClick={() => change({ type: 'started-over', code: '' })}>
          Connect another organization
        </button>
      </p>
    </StepFrame>
  )
}
