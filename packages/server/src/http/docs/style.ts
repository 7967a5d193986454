/** Readable on a phone and in print, light and dark. Contrast of text at least 7 : 1. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --soft: #f3f4f6; --line: #c5cad1; --link: #0b4a9e; --mark: #14532d }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --paper: #15181c; --soft: #20252b; --line: #474e57; --link: #9ecbff; --mark: #a7e3bb }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
header, main, nav, footer { max-width: 52rem; margin: 0 auto; padding: 0 1rem }
header { padding-top: 2rem }
h1 { font-size: 1.8rem; margin: 0 }
h2 { margin: 2.5rem 0 0.5rem; border-bottom: 1px solid var(--line) }
h3 { margin: 2rem 0 0.5rem }
h4 { margin: 1.25rem 0 0.25rem }
a { color: var(--link) }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
code, pre { font: 0.9em/1.5 ui-monospace, monospace }
pre { background: var(--soft); padding: 0.75rem 1rem; overflow: auto; border-radius: 6px }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line) }
.call { background: var(--soft); padding: 0.5rem 1rem; border-radius: 6px; overflow-wrap: anywhere }
.method { font-weight: 700; color: var(--mark) }
.skip { position: absolute; left: -999rem }
.skip:focus { position: static }
footer { padding: 2rem 1rem 3rem }
`
