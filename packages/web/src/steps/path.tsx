import { Icon } from '../controls/icon.js'

/** The way to a screen of a console, click by click. */
export function Path({ steps }: { readonly steps: readonly string[] }) {
  return (
    <span className="path">
      {steps.map((step, index) => (
        <span key={`${steps.slice(0, index).join('/')}/${step}`}>
          {index > 0 && (
            <>
              <Icon name="arrow" />
              <span className="off-screen">, then </span>
            </>
          )}
          {step}
        </span>
      ))}
    </span>
  )
}
