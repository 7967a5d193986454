import { type HTMLAttributes, type ReactNode, useId, useRef, useState } from 'react'
import { type Check, type Notice, noticeOf, sentenceOf } from '../checks/check.js'
import { Icon, type IconName } from './icon.js'

export interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onType: (text: string) => void
  readonly check: Check
  readonly hint?: ReactNode
  readonly example?: string | undefined
  /** Sending was tried. */
  readonly tried: boolean
  /** What the service said about the value. */
  readonly refused?: string | undefined
  readonly type?: 'text' | 'password'
  readonly inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  readonly capitals?: boolean
  readonly code?: boolean
  readonly autoComplete?: string
  /** Stands at the end of the input. */
  readonly beside?: ReactNode
}

const ICONS: Readonly<Record<Exclude<Notice['tone'], 'good'>, IconName>> = { doubtful: 'warning', bad: 'cross' }
const TONES: Readonly<Record<Notice['tone'], string>> = { good: 'Looks good.', doubtful: 'Note:', bad: 'Problem:' }

/** A labelled input with a hint, and below it what is known of the value as it is typed. */
export function Field(props: FieldProps) {
  const { label, value, onType, check, hint, tried, refused, type = 'text' } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [left, setLeft] = useState(false)
  const words = refused === undefined ? undefined : sentenceOf(label, refused)
  const notice = noticeOf(check, { left: left && value !== '', tried, refused: words })
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
          onBlur={() => setLeft(true)}
        />
        {notice?.tone === 'good' && <Icon name="tick" />}
        {props.beside}
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

/** A field for a client secret: hidden until somebody wants to see what was pasted. */
export function SecretField(props: Omit<FieldProps, 'label' | 'type' | 'autoComplete' | 'beside' | 'code'>) {
  const [visible, setVisible] = useState(false)
  return (
    <Field
      {...props}
      label="Client secret"
      code
      type={visible ? 'text' : 'password'}
      // Not a password of a person: managers of passwords should neither fill nor save it.
      autoComplete="one-time-code"
      beside={
        <button type="button" className="reveal" aria-pressed={visible} onClick={() => setVisible(!visible)}>
          Show<span className="off-screen"> the client secret</span>
        </button>
      }
    />
  )
}
