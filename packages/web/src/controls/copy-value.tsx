import { Fragment } from 'react'
import { CopyButton } from './copy-button.js'

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
