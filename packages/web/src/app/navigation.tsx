import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react'

/** The parts of the URL that select what is shown. */
export interface Address {
  readonly path: string
  /** Starts with a question mark, or is empty. */
  readonly search: string
}

const listeners = new Set<() => void>()
let current = read()

function read(): Address {
  return typeof location === 'undefined'
    ? { path: '/', search: '' }
    : { path: location.pathname, search: location.search }
}

function changed(): void {
  current = read()
  for (const notify of listeners) notify()
}

function subscribe(notify: () => void): () => void {
  if (listeners.size === 0) addEventListener('popstate', changed)
  listeners.add(notify)
  return () => {
    listeners.delete(notify)
    if (listeners.size === 0) removeEventListener('popstate', changed)
  }
}

/** The current address. It follows links of the app and the back and forward buttons. */
export function useAddress(): Address {
  return useSyncExternalStore(subscribe, () => current)
}

/**
 * Opens another page of the app, scrolled to its top.
 *
 * @example
 * navigate('/rules?q=kafka')
 */
export function navigate(to: string): void {
  flush?.()
  history.pushState(null, '', to)
  changed()
  scrollTo(0, 0)
}

/** Changes the address of the current page, without a new history entry. */
export function replaceAddress(to: string): void {
  // Some browsers limit how often this may be called; the next call makes up for it.
  try {
    history.replaceState(null, '', to)
  } catch {
    return
  }
  changed()
}

/** Browsers limit how often the address may change, so a change for every key press waits for a pause in typing. */
const PAUSE_MS = 200

/** Applies the waiting change. */
let flush: (() => void) | undefined

/** The same after a pause in typing, and at the latest before a link opens another page. Returns the function that cancels it. */
export function replaceAddressSoon(to: string): () => void {
  const timer = setTimeout(() => flush?.(), PAUSE_MS)
  const cancel = () => {
    clearTimeout(timer)
    flush = undefined
  }
  flush = () => {
    cancel()
    replaceAddress(to)
  }
  return cancel
}

/** Whether a click opens a new tab, a download or a menu, which the browser handles. */
function isForBrowser(event: MouseEvent<HTMLAnchorElement>): boolean {
  return (
    event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  )
}

/** A link inside the app. It is a real link, for new tabs and for copying, but a plain click needs no page load. */
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
