import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react'

/** The parts of the address that decide what is shown. */
export interface Address {
  readonly path: string
  /** With its question mark, or empty. */
  readonly search: string
}

const watchers = new Set<() => void>()
let current = read()

function read(): Address {
  return typeof location === 'undefined'
    ? { path: '/', search: '' }
    : { path: location.pathname, search: location.search }
}

function changed(): void {
  current = read()
  for (const tell of watchers) tell()
}

function watch(tell: () => void): () => void {
  if (watchers.size === 0) addEventListener('popstate', changed)
  watchers.add(tell)
  return () => {
    watchers.delete(tell)
    if (watchers.size === 0) removeEventListener('popstate', changed)
  }
}

/** Where the browser is. Follows links of the app, and back and forward. */
export function useAddress(): Address {
  return useSyncExternalStore(watch, () => current)
}

/**
 * Goes to another page of the app, which begins at its top.
 *
 * @example
 * navigate('/rules?q=kafka')
 */
export function navigate(to: string): void {
  settle?.()
  history.pushState(null, '', to)
  changed()
  scrollTo(0, 0)
}

/** Changes the address of this page, without a new place to come back to. */
export function amend(to: string): void {
  // Some browsers allow only so many changes in a while; the next one makes up for it.
  try {
    history.replaceState(null, '', to)
  } catch {
    return
  }
  changed()
}

/** Browsers allow only so many changes in a while: what changes with every key that is pressed waits until nobody types. */
const SETTLED_MS = 200

/** Makes the change that waits. */
let settle: (() => void) | undefined

/** The same, once nothing else comes, and in any case before this page is left by a link. Gives what calls it off. */
export function amendSoon(to: string): () => void {
  const timer = setTimeout(() => settle?.(), SETTLED_MS)
  const callOff = () => {
    clearTimeout(timer)
    settle = undefined
  }
  settle = () => {
    callOff()
    amend(to)
  }
  return callOff
}

/** Whether a click asks for a new tab, a download or a menu rather than for this page. */
function isForBrowser(event: MouseEvent<HTMLAnchorElement>): boolean {
  return (
    event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  )
}

/** A link inside of the app: a real one, for new tabs and for copying, that needs no page load when it is just followed. */
export function Link({ to, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }) {
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        if (isForBrowser(event)) return
        event.preventDefault()
        navigate(to)
      }}
    />
  )
}
