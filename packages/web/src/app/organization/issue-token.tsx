import type { IssuedApiToken } from '@omen/server/api'
import { useState } from 'react'
import { bad, type Check, EMPTY, good, sendable } from '../../checks/check.js'
import { Field, SelectField } from '../../controls/field.js'
import { RequestForm } from '../../controls/form.js'
import { useRequest } from '../../controls/use-request.js'
import { useService } from '../account.js'

/** The scopes of a token, the most harmless first. */
const SCOPES = {
  'rules:read': 'Read rules, including your own',
  'rules:publish': 'Publish your own rules',
  'members:read': 'Read the list of members',
  'audit:read': 'Read the audit log',
} as const

type Scope = keyof typeof SCOPES

/** The lifetimes to choose from, in days. The service accepts at most 366. */
const LIFETIMES = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['180', '180 days'],
  ['365', '1 year'],
] as const

const DAY_MS = 86_400_000
const LONGEST_NAME = 100

function checkName(text: string): Check {
  const name = text.trim()
  if (name === '') return EMPTY
  return [...name].length > LONGEST_NAME ? bad(`At most ${LONGEST_NAME} characters are allowed.`) : good(name)
}

/** The form for a new token. */
export function IssueToken({ onIssued }: { readonly onIssued: (token: IssuedApiToken) => void }) {
  const service = useService()
  const request = useRequest()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(['rules:read'])
  const [days, setDays] = useState('90')
  const checks = { name: checkName(name), scopes: scopes.length === 0 ? EMPTY : good(scopes.join(' ')) }
  const send = () =>
    request.run(
      () =>
        service.issueToken({
          name: sendable(checks.name) ?? '',
          scopes,
          expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
        }),
      (token) => {
        setName('')
        onIssued(token)
      },
    )
  return (
    <section className="card">
      <h2>Create a token</h2>
      <RequestForm
        request={request}
        checks={checks}
        send={send}
        onAction={send}
        submitLabel="Create token"
        pendingLabel="Creating the token…"
      >
        {({ submitted, serverError }) => (
          <>
            <Field
              label="Name"
              hint="What will use the token."
              example="nightly pipeline"
              value={name}
              onType={(text) => {
                request.clear()
                setName(text)
              }}
              check={checks.name}
              submitted={submitted}
              serverError={serverError('name')}
            />
            <Scopes
              chosen={scopes}
              onChoose={setScopes}
              error={serverError('scopes') ?? (submitted && scopes.length === 0 ? 'Select at least one.' : undefined)}
            />
            <SelectField label="Valid for" value={days} options={LIFETIMES} onChoose={setDays} />
            {serverError('expires_at') !== undefined && <p className="fine">{serverError('expires_at')}</p>}
          </>
        )}
      </RequestForm>
    </section>
  )
}

interface ScopesProps {
  readonly chosen: readonly Scope[]
  readonly onChoose: (scopes: readonly Scope[]) => void
  readonly error: string | undefined
}

function Scopes({ chosen, onChoose, error }: ScopesProps) {
  const toggle = (scope: Scope) =>
    onChoose(chosen.includes(scope) ? chosen.filter((other) => other !== scope) : [...chosen, scope])
  return (
    <fieldset className="choice" data-tone={error === undefined ? undefined : 'bad'}>
      <legend>Scopes</legend>
      <div className="cards wide">
        {(Object.keys(SCOPES) as Scope[]).map((scope) => (
          <label key={scope}>
            <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
            <span>
              {SCOPES[scope]}
              <br />
              <code>{scope}</code>
            </span>
          </label>
        ))}
      </div>
      <div className="notice" aria-live="polite">
        {error !== undefined && <p>{error}</p>}
      </div>
    </fieldset>
  )
}
