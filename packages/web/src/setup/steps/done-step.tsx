import { isWebUrl } from '../../api/request.js'
import { CopyValue } from '../../controls/copy.js'
import { Icon } from '../../controls/icon.js'
import { guideOf } from '../providers/providers.js'
import type { StepProps } from './step.js'
import { StepFrame } from './step-frame.js'

/** The page after the four steps: where users sign in, and what the administrator should do next. */
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
      lead={`Everyone with an e-mail address at ${domain} can now sign in to Omen.`}
    >
      <dl className="addresses">
        <dt>Sign-in URL</dt>
        <dd>
          <CopyValue value={login_url} what="the sign-in URL" />
        </dd>
        <dt>Omen</dt>
        <dd>
          <CopyValue value={app_url} what="the URL of Omen" />
        </dd>
      </dl>
      {isWebUrl(login_url) && (
        <p className="actions">
          <a className="primary" href={login_url} target="_blank" rel="noopener noreferrer">
            Sign in now <Icon name="open" />
            <span className="off-screen"> (opens in a new tab)</span>
          </a>
        </p>
      )}
      <h2>Next steps</h2>
      <ol className="next">
        <li>Sign in yourself in a private window to see what your users will see.</li>
        <li>Assign Omen to users and groups in {guide.id === 'other' ? 'your identity provider' : guide.name}.</li>
        <li>Give them the sign-in URL, or point them to the Omen icon among their applications.</li>
        {guide.reminder !== undefined && <li>{guide.reminder}</li>}
        <li>
          To change the connection later, sign in to Omen and open Organization, then Connection. The current connection
          stays in use until you switch.
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
