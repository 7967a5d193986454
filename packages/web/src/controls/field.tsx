import { type HTMLAttributes, type ReactNode, useId, useRef, useState } from 'react'
import { type Check, type Notice, noticeFor, toSentence } from '../checks/check.js'
import { Icon, type IconName } from './icon.js'

export interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onType: (text: string) => void
  readonly check: Check
  readonly hint?: ReactNode
  readonly example?: string | undefined
  /** The user has tried to submit the form. */
  readonly submitted: boolean
  /** What the service says about the value. */
  readonly serverError?: string | undefined
  readonly type?: 'text' | 'password'
  readonly inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  readonly capitals?: boolean
  readonly code?: boolean
  readonly autoComplete?: string
  /** A control at the end of the input. */
  readonly suffix?: ReactNode
}

const ICONS: Readonly<Record<Exclude<Notice['tone'], 'good'>, IconName>> = { doubtful: 'warning', bad: 'cross' }
const TONES: Readonly<Record<Notice['tone'], string>> = { good: 'Looks good.', doubtful: 'Note:', bad: 'Error:' }

/** A labelled input with a hint, and a message below it that follows the value as it is typed. */
export function Field(props: FieldProps) {
  const { label, value, onType, check, hint, submitted, serverError, type = 'text' } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [blurred, setBlurred] = useState(false)
  const notice = noticeFor(check, {
    blurred: blurred && value !== '',
    submitted,
    serverError: serverError === undefined ? undefined : toSentence(label, serverError),
  })
  const fix = (text: string) => {
    onType(text)
    input.current?.focus()
  }
  return (
    <div className="field" data-tone={notice?.tone}>
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div className="input">
        <input
          ref={input}
          id={id}
          type={type}
          value={value}
          placeholder={props.example}
          inputMode={props.inputMode}
          autoComplete={props.autoComplete ?? 'off'}
          autoCapitalize={props.capitals === true ? 'characters' : 'off'}
          autoCorrect="off"
          spellCheck={false}
          className={props.code === true ? 'code' : undefined}
          required
          aria-invalid={notice?.tone === 'bad'}
          aria-describedby={`${hint === undefined ? '' : `${id}-hint `}${id}-notice`}
          onChange={(event) => onType(event.target.value)}
          onBlur={() => setBlurred(true)}
        />
        {notice?.tone === 'good' && <Icon name="tick" />}
        {props.suffix}
      </div>
      <NoticeLine id={`${id}-notice`} notice={notice} onFix={fix} />
    </div>
  )
}

interface NoticeLineProps {
  readonly id: string
  readonly notice: Notice | undefined
  readonly onFix: (text: string) => void
}

function NoticeLine({ id, notice, onFix }: NoticeLineProps) {
  return (
    <div className="notice" id={id} aria-live="polite" data-silent={notice?.text === ''}>
      {notice !== undefined && (
        <p>
          {notice.tone !== 'good' && <Icon name={ICONS[notice.tone]} />}
          <span className="off-screen">{TONES[notice.tone]} </span>
          <span>{notice.text}</span>
        </p>
      )}
      {notice?.fix !== undefined && (
        <button type="button" className="fix" onClick={() => onFix(notice.fix!)}>
          Use <b>{notice.fix}</b>
        </button>
      )}
    </div>
  )
}

/** A field for a client secret, which is hidden until the user reveals it. */
export function SecretField(props: Omit<FieldProps, 'label' | 'type' | 'autoComplete' | 'suffix' | 'code'>) {
  const [visible, setVisible] = useState(false)
  return (
    <Field
      {...props}
      label="Client secret"
      code
      type={visible ? 'text' : 'password'}
      // This is not the password of a user: a password manager should neither fill nor save it.
      autoComplete="one-time-code"
      suffix={
        <button type="button" className="reveal" aria-pressed={visible} onClick={() => setVisible(!visible)}>
          Show<span className="off-screen"> the client secret</span>
        </button>
      }
    />
  )
}

export interface SelectFieldProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly onChoose: (value: string) => void
  readonly hint?: string
  readonly className?: string
}

/** A labelled list of options, of which one is selected. */
export function SelectField({ label, value, options, onChoose, hint, className = '' }: SelectFieldProps) {
  const id = useId()
  return (
    <div className={`field ${className}`.trim()}>
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div className="input">
        <select
          id={id}
          value={value}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onChange={(event) => onChoose(event.target.value)}
        >
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
