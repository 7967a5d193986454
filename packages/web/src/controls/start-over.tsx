import { useEffect, useRef, useState } from 'react'

/** Forgets everything in this tab, after asking. */
export function StartOver({ onStartOver }: { readonly onStartOver: () => void }) {
  const [asking, setAsking] = useState(false)
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (asking) keep.current?.focus()
  }, [asking])
  if (!asking) {
    return (
      <button type="button" className="plain" onClick={() => setAsking(true)}>
        Start over
      </button>
    )
  }
  return (
    <fieldset className="start-over">
      <legend>Forget everything entered here?</legend>
      <button ref={keep} type="button" className="secondary" onClick={() => setAsking(false)}>
        Keep it
      </button>
      <button
        type="button"
        className="secondary"
        onClick={() => {
          setAsking(false)
          onStartOver()
        }}
      >
        Yes, start over
      </button>
    </fieldset>
  )
}
