import { Fragment, useEffect, useState } from 'react'
import { Icon } from './icon.js'

/** How long the button shows the outcome. */
const FEEDBACK_MS = 2500

const LABELS = { idle: 'Copy', copied: 'Copied', failed: 'Copy it manually' } as const

/** A button that copies a string. `what` completes its accessible name, "Copy …". */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [state, setState] = useState<keyof typeof LABELS>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), FEEDBACK_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => setState((await copyText(text)) ? 'copied' : 'failed')
  return (
    <>
      <button type="button" className="copy" data-state={state} onClick={copy} aria-label={`Copy ${what}`}>
        <Icon name={state === 'copied' ? 'tick' : 'copy'} />
        <span aria-hidden="true">{LABELS[state]}</span>
      </button>
      <span role="status" className="off-screen">
        {state === 'copied' ? `Copied ${what}.` : state === 'failed' ? `Could not copy ${what}.` : ''}
      </span>
    </>
  )
}

/** A value to paste elsewhere, with a button that copies it. */
export function CopyValue({ value, what }: { readonly value: string; readonly what: string }) {
  return (
    <span className="copy-value">
      <code>
        {splitAfterSlashes(value).map(({ index, part }) => (
          <Fragment key={index}>
            {part}
            <wbr />
          </Fragment>
        ))}
      </code>
      <CopyButton text={value} what={what} />
    </span>
  )
}

/** A long URL breaks best after a slash. */
function splitAfterSlashes(value: string): readonly { readonly index: number; readonly part: string }[] {
  return [...value.matchAll(/[^/]*\/*/g)].map((match) => ({ index: match.index, part: match[0] }))
}

/** `navigator.clipboard` exists only on secure pages; a page served over plain HTTP falls back to a selection. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'off-screen'
  const focused = document.activeElement
  document.body.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}

/**
 * Quotes a string for a POSIX shell.
 *
 * @example
 * shellQuote("Jo's") // "'Jo'\\''s'"
 */
export function shellQuote(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`
}
