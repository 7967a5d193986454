import { useId, useState } from 'react'
import { bad, type Check, EMPTY, good, sendable } from '../../checks/check.js'
import { Field } from '../../controls/field.js'
import { StepForm } from '../../controls/form.js'
import { useCall } from '../../controls/use-request.js'
import { useService } from '../account.js'
import type { NewToken } from '../api/messages.js'

/** What a token may do, the harmless first. */
const SCOPES = {
  'rules:read': 'Read rules, your own included',
  'rules:publish': 'Publish your own rules',
  'members:read': 'Read the list of members',
  'audit:read': 'Read the audit',
} as const

type Scope = keyof typeof SCOPES

/** Days that a token lives. The service takes 366 at most. */
const LIVES = [
  [30, '30 days'],
  [90, '90 days'],
  [180, '180 days'],
  [365, 'a year'],
] as const

const DAY_MS = 86_400_000
const LONGEST_NAME = 100

function checkName(text: string): Check {
  const name = text.trim()
  if (name === '') return EMPTY
  return [...name].length > LONGEST_NAME ? bad(`${LONGEST_NAME} characters are the most.`) : good(name)
}

/** The form for a new token. */
export function IssueToken({ onIssued }: { readonly onIssued: (token: NewToken) => void }) {
  const service = useService()
  const call = useCall()
  const life = useId()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(['rules:read'])
  const [days, setDays] = useState<number>(90)
  const checks = { name: checkName(name), scopes: scopes.length === 0 ? EMPTY : good(scopes.join(' ')) }
  const send = () =>
    call.run(
      () =>
        service.issueToken({
          name: sendable(checks.name) ?? '',
          scopes,
          expires_at: new Date(Date.now() + days * DAY_MS).toISOString(),
        }),
      (token) => {
        setName('')
        onIssued(token)
      },
    )
  return (
    <section className="card">
      <h2>Make a token</h2>
      <StepForm call={call} checks={checks} send={send} onOffer={send} action="Make it" pendingAction="Making it…">
        {({ tried, refused }) => (
          <>
            <Field
              label="Name"
              hint="So that you know later what uses it."
              example="nightly pipeline"
              value={name}
              onType={(text) => {
                call.forget()
                setName(text)
              }}
              check={checks.name}
              tried={tried}
              refused={refused('name')}
            />
            <Scopes
              chosen={scopes}
              onChoose={setScopes}
              problem={refused('scopes') ?? (tried && scopes.length === 0 ? 'Choose at least one.' : undefined)}
            />
            <div className="field">
              <label htmlFor={life}>Works for</label>
              <div className="input">
                <select id={life} value={days} onChange={(event) => setDays(Number(event.target.value))}>
                  {LIVES.map(([value, text]) => (
                    <option key={value} value={value}>
                      {text}
                    </option>
                  ))}
                </select>
              </div>
              {refused('expires_at') !== undefined && <p className="fine">{refused('expires_at')}</p>}
            </div>
          </>
        )}
      </StepForm>
    </section>
  )
}

interface ScopesProps {
  readonly chosen: readonly Scope[]
  readonly onChoose: (scopes: readonly Scope[]) => void
  readonly problem: string | undefined
}

function Scopes({ chosen, onChoose, problem }: ScopesProps) {
  const toggle = (scope: Scope) =>
    onChoose(chosen.includes(scope) ? chosen.filter((other) => other !== scope) : [...chosen, scope])
  return (
    <fieldset className="choice" data-tone={problem === undefined ? undefined : 'bad'}>
      <legend>What it may do</legend>
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
        {problem !== undefined && <p>{problem}</p>}
      </div>
    </fieldset>
  )
}
