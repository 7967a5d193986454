/** The look of the set-up page, for a page of a few sentences. Contrast of text at least 4.5 : 1. */
export const NOTICE_STYLE = `
:root { color-scheme: light dark; --ground: #f4f3f7; --card: #fff; --line: #dedbe8; --ink: #1c1928; --soft: #5a556b; --accent: #4b3bc4; --on-accent: #fff; --good: #17693f; --bad: #a8201a }
@media (prefers-color-scheme: dark) {
  :root { --ground: #121019; --card: #1b1825; --line: #332e44; --ink: #edeaf6; --soft: #aaa4bd; --accent: #a99dff; --on-accent: #17122e; --good: #6fd6a0; --bad: #ff9d95 }
}
* { box-sizing: border-box }
body { margin: 0; padding: clamp(1rem, 6vw, 4rem) 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
main { max-width: 38rem; margin: 0 auto; padding: clamp(1.25rem, 4vw, 2.5rem); background: var(--card); border: 1px solid var(--line); border-radius: 16px }
.brand { margin: 0 0 1rem; color: var(--soft); font-weight: 650 }
h1 { margin: 0 0 1rem; font-size: clamp(1.5rem, 1.2rem + 1.6vw, 1.9rem); line-height: 1.2 }
.good h1 { color: var(--good) }
.bad h1 { color: var(--bad) }
p { margin: 0 0 1rem; overflow-wrap: anywhere }
.reference { margin: 1.5rem 0 0; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.92rem }
a { color: inherit; font-weight: 600 }
code { font: 0.92em ui-monospace, monospace }
`
