import { useEffect, useState } from 'react'
import { copyText } from './copy-text.js'
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
