import { NOTICE_STYLE } from './notice-style.js'

/** The look of pages with forms: that of a notice, and what people fill in and press. Targets are at least 44 px high. */
export const FORM_STYLE = `${NOTICE_STYLE}
form { margin: 0 }
label { display: block; margin: 0 0 0.4rem; font-weight: 600 }
input { width: 100%; min-height: 2.9rem; margin: 0 0 1rem; padding: 0.5rem 0.8rem; border: 1px solid var(--soft); border-radius: 10px; background: var(--card); color: var(--ink); font: inherit }
::placeholder { color: var(--soft); opacity: 1 }
.code input { font: 1.4rem ui-monospace, monospace; letter-spacing: 0.12em; text-transform: uppercase }
button { min-height: 2.9rem; padding: 0.5rem 1.3rem; border: 1px solid var(--accent); border-radius: 10px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 650; cursor: pointer }
button.quiet { border-color: var(--soft); background: transparent; color: var(--ink) }
button:focus-visible, input:focus-visible, a:focus-visible { outline: 3px solid #7a5cf0; outline-offset: 2px }
.row { display: flex; flex-wrap: wrap; gap: 0.8rem }
.error { color: var(--bad); font-weight: 600 }
.soft { color: var(--soft); font-size: 0.92rem }
ul { margin: 0 0 1.5rem; padding: 0; list-style: none }
li { padding: 1rem 0; border-top: 1px solid var(--line) }
li p { margin: 0 0 0.6rem }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.4rem 1rem; margin: 0 0 1.5rem }
dt { color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere }
`
