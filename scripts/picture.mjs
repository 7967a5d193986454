// Draws docs/omen-at-work.svg: the real output of the built tool on a terminal, for the example logs.
//
//   npm run build && node scripts/picture.mjs
//
// It needs tmux, which is the terminal.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

const COMMAND = 'omen examples/*.log examples/*.jsonl'
const COLUMNS = 104
const ROWS = 40

/** The colours of a dark terminal. */
const THEME = {
  background: '#0d1117',
  frame: '#30363d',
  plain: '#e6edf3',
  dim: '#8b949e',
  prompt: '#7ee787',
  colours: { 31: '#ff7b72', 32: '#3fb950', 33: '#d29922', 36: '#39c5cf', 91: '#ffa198' },
}
const LIGHTS = ['#ff5f57', '#febc2e', '#28c840']

const FONT_SIZE = 14
const CHARACTER_WIDTH = 8.4
const LINE_HEIGHT = 21
const MARGIN = 22
const TITLE_BAR = 34

/** The lines on the screen after the command has ended, each with its escape sequences. */
function runOnTerminal(command) {
  const folder = mkdtempSync(join(tmpdir(), 'omen-picture-'))
  const tmux = (...args) =>
    execFileSync('tmux', ['-S', join(folder, 'socket'), '-f', '/dev/null', ...args], { encoding: 'utf8' })
  // The terminal reports its cursor position after it has shown everything before the request.
  const script = [
    `omen() { ${quote(process.execPath)} ${quote(file('packages/cli/dist/omen.js'))} "$@"; }`,
    // The first run fills the caches: users mostly see later runs.
    `${command} -q -o ""`,
    command,
    "stty -icanon -echo; printf '\\033[6n'; dd bs=1 count=1 > /dev/null 2>&1",
    'tmux wait-for -S shown',
    'exec cat > /dev/null',
  ].join('\n')
  writeFileSync(join(folder, 'run.sh'), script)
  // The report is written into the temporary folder, and removed with it.
  symlinkSync(file('examples'), join(folder, 'examples'))
  const environment = ['env', '-u', 'NO_COLOR', '-u', 'FORCE_COLOR', `OMEN_CONFIG_DIR=${join(folder, 'config')}`]
  const settings = ['TERM=xterm-256color', 'TZ=UTC', 'LC_ALL=C.UTF-8']
  const line = [...environment, ...settings, 'sh', join(folder, 'run.sh')].map(quote).join(' ')
  try {
    tmux('new-session', '-d', '-x', String(COLUMNS), '-y', String(ROWS), '-c', folder, line)
    tmux('wait-for', 'shown')
    return tmux('capture-pane', '-p', '-e').trimEnd().split('\n')
  } finally {
    tmux('kill-server')
    rmSync(folder, { recursive: true, force: true })
  }
}

function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

const PLAIN = { colour: undefined, bold: false, dim: false }

/** The style after an escape code. tmux also writes 0, which resets the style. */
function styleAfter(style, code) {
  if (code === 0) return PLAIN
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 22) return { ...style, bold: false, dim: false }
  if (code === 39) return { ...style, colour: undefined }
  if (code === 49) return style
  const colour = THEME.colours[code]
  if (colour === undefined) throw new Error(`Unknown escape code ${code}`)
  return { ...style, colour }
}

/** Splits lines into runs of one style. The style continues on the next line. */
function runsOf(lines) {
  let style = PLAIN
  return lines.map((line) => {
    const runs = []
    for (const part of line.split(new RegExp(`(${String.fromCharCode(27)}\\[[0-9;]*m)`))) {
      const codes = part.charCodeAt(0) === 27 ? part.slice(2, -1).split(';').map(Number) : undefined
      if (codes) style = codes.reduce(styleAfter, style)
      else if (part !== '') runs.push({ text: part, ...style })
    }
    return runs
  })
}

const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function drawRun({ text, colour, bold, dim }) {
  const fill = colour ?? (dim ? THEME.dim : THEME.plain)
  return `<tspan fill="${fill}"${bold ? ' font-weight="700"' : ''}>${escapeXml(text)}</tspan>`
}

/** Every line has a fixed length, so that it fits with any font. */
function drawLine(runs, index) {
  const length = runs.reduce((sum, { text }) => sum + text.length, 0)
  if (length === 0) return ''
  const y = TITLE_BAR + MARGIN / 2 + LINE_HEIGHT * (index + 0.75)
  const width = (length * CHARACTER_WIDTH).toFixed(1)
  return `  <text x="${MARGIN}" y="${y}" textLength="${width}" xml:space="preserve">${runs.map(drawRun).join('')}</text>\n`
}

const prompt = [
  { text: '$ ', ...PLAIN, colour: THEME.prompt },
  { text: COMMAND, ...PLAIN },
]
const lines = [prompt, ...runsOf(runOnTerminal(COMMAND))]
const width = Math.ceil(2 * MARGIN + CHARACTER_WIDTH * COLUMNS)
const height = Math.ceil(TITLE_BAR + MARGIN * 1.5 + LINE_HEIGHT * lines.length)
const lights = LIGHTS.map((fill, index) => {
  return `<circle cx="${MARGIN + 6 + index * 20}" cy="${TITLE_BAR / 2 + 3}" r="6" fill="${fill}"/>`
})
writeFileSync(
  file('docs/omen-at-work.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}">
  <title>omen finds six problems in the logs of one bad night</title>
  <rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${THEME.background}" stroke="${THEME.frame}"/>
  ${lights.join('')}
${lines.map(drawLine).join('')}</svg>
`,
)
