// Draws docs/omen-at-work.svg: what the built tool really prints for an example log.
//
//   npm run build && node scripts/picture.mjs
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

const COLOURS = [
  [/ critical \[/, '#ff6b6b'],
  [/ high \[/, '#ffa657'],
  [/ medium \[/, '#e3c567'],
  [/^\$/, '#7ee787'],
]
const PLAIN = '#c9d1d9'
const LINE_HEIGHT = 22
const CHARACTER_WIDTH = 8.4
const MARGIN = 18

const { stdout } = spawnSync(process.execPath, [file('packages/cli/dist/omen.js'), '-o', ''], {
  input: readFileSync(file('examples/cluster.log')),
  env: { ...process.env, TZ: 'UTC' },
})
const lines = ['$ omen < examples/cluster.log', ...stdout.toString().trimEnd().split('\n')]

const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const rows = lines.map((line, index) => {
  const colour = COLOURS.find(([pattern]) => pattern.test(line))?.[1] ?? PLAIN
  const y = MARGIN + LINE_HEIGHT * (index + 0.75)
  return `  <text x="${MARGIN}" y="${y}" fill="${colour}" xml:space="preserve">${escapeXml(line)}</text>`
})
const width = Math.ceil(2 * MARGIN + CHARACTER_WIDTH * Math.max(...lines.map((line) => line.length)))
const height = 2 * MARGIN + LINE_HEIGHT * lines.length
writeFileSync(
  file('docs/omen-at-work.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
  <title>omen finds four problems in the logs of one bad night</title>
  <rect width="100%" height="100%" rx="8" fill="#161b22"/>
${rows.join('\n')}
</svg>
`,
)
