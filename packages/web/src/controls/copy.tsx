import { Fragment, useEffect, useState } from 'react'
import { Icon } from './icon.js'

/** How long the button says that it has worked. */
const TELLING = 2500

const WORDS = { idle: 'Copy', copied: 'Copied', refused: 'Select it by hand' } as const

/** A button that copies a text. `what` names it for those who hear the page. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [state, setState] = useState<keyof typeof WORDS>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), TELLING)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => setState((await copyText(text)) ? 'copied' : 'refused')
  return (
    <>
      <button type="button" className="copy" data-state={state} onClick={copy} aria-label={`Copy ${what}`}>
        <Icon name={state === 'copied' ? 'tick' : 'copy'} />
        <span aria-hidden="true">{WORDS[state]}</span>
      </button>
      <span role="status" className="off-screen">
        {state === 'copied' ? `Copied ${what}.` : state === 'refused' ? `The browser did not copy ${what}.` : ''}
      </span>
    </>
  )
}

/** A value to carry elsewhere: shown as it is, with a button that copies it. */
export function CopyValue({ value, what }: { readonly value: string; readonly what: string }) {
  return (
    <span className="copy-value">
      <code>
        {pieces(value).map(({ at, text }) => (
          <Fragment key={at}>
            {text}
            <wbr />
          </Fragment>
        ))}
      </code>
      <CopyButton text={value} what={what} />
    </span>
  )
}

/** The value cut behind its slashes, where a long address is best broken. */
function pieces(value: string): readonly { readonly at: number; readonly text: string }[] {
  return [...value.matchAll(/[^/]*\/*/g)].map((found) => ({ at: found.index, text: found[0] }))
}

/**
 * Puts a text on the clipboard. Browsers allow the modern way only on secure pages, so a page served by plain HTTP inside a
 * company takes the old one.
 *
 * @example
 * const copied = await copyText('https://omen.example/v1/auth/login')
 */
export async function copyText(text: string): Promise<boolean> {
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
