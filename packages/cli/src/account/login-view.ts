import { createLiveRegion } from '../console/progress/live-region.js'
import { renderQr } from '../console/qr.js'
import type { Screen } from '../console/screen.js'
import { formatTimeLeft } from '../console/text/amounts.js'
import { createPaint } from '../console/text/paint.js'
import { sanitize } from '../console/text/sanitize.js'
import { truncate } from '../console/text/width.js'
import type { DeviceAuthorization } from './read-answers.js'
import type { Waiting } from './wait-for-approval.js'

/** What somebody who signs in sees. */
export interface LoginView {
  /** The address and the code. */
  begin(device: DeviceAuthorization): void
  update(waiting: Waiting): void
  /** Waits no more: what was shown while waiting is taken away. */
  end(): void
}

export interface LoginViewOptions {
  readonly host: string
  readonly quiet: boolean
  readonly monotonic: () => number
  readonly tick: (redraw: () => void) => () => void
  /** Listens for Enter; undefined where nobody can press it. */
  readonly onEnter: (pressed: (lines: number) => void) => (() => void) | undefined
  /** Opens an address in a browser; undefined where there is none. */
  readonly open: ((url: URL, failed: () => void) => void) | undefined
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const SPIN_MILLISECONDS = 100

/** What stands around the QR code: a sentence, the address, the code, blank lines, and the line that waits. */
const LINES_BESIDE = 7

/**
 * Shows how to sign in: on a terminal with a QR code, a line that counts down, and a browser for whoever presses Enter;
 * elsewhere in plain lines.
 *
 * @example
 * const view = createLoginView(session.out, { host: 'omen.example.com', … })
 * view.begin(device)
 */
export function createLoginView(screen: Screen, options: LoginViewOptions): LoginView {
  return screen.isTerminal && !options.quiet ? liveView(screen, options) : plainView(screen, options)
}

function plainView(screen: Screen, { host, quiet }: LoginViewOptions): LoginView {
  let told: string | undefined
  return {
    begin({ uri, uriComplete, userCode, lasts }) {
      const minutes = Math.max(1, Math.round(lasts / 60_000))
      screen.write(`To sign in to ${host}, open ${uri.href} and enter the code ${userCode}\n`)
      if (quiet) return
      if (uriComplete) screen.write(`Or open ${uriComplete.href} and compare the code.\n`)
      screen.write(`Waiting to be approved, for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.\n`)
    },
    update({ trouble }) {
      if (trouble !== undefined && trouble !== told && !quiet) screen.write(`${host}: ${trouble}: trying again.\n`)
      told = trouble
    },
    end() {},
  }
}

function liveView(screen: Screen, { host, monotonic, tick, onEnter, open }: LoginViewOptions): LoginView {
  const paint = createPaint(screen.colours)
  const region = createLiveRegion(screen)
  let waiting: Waiting | undefined
  let opened: 'not yet' | 'opened' | 'failed' = 'not yet'
  let stopTicking = () => {}
  let stopListening: (() => void) | undefined

  function draw(): void {
    if (!waiting) return
    const now = monotonic()
    const spinner = SPINNER[Math.floor(now / SPIN_MILLISECONDS) % SPINNER.length]!
    const left = `${formatTimeLeft(waiting.endsAt - now)} left`
    const { trouble } = waiting
    const what = trouble === undefined ? 'Waiting to be approved' : `${host}: ${sanitize(trouble)}: trying again`
    const line = truncate(`${what}, ${left}${hint()}`, Math.max(10, screen.columns - 2))
    region.draw([`${paint('code', spinner)} ${line}`])
  }

  function hint(): string {
    if (!stopListening || !open) return ''
    if (opened === 'failed') return '. No browser could be opened: open the address yourself'
    return opened === 'opened' ? '. Look at your browser' : '. Press Enter to open it in your browser'
  }

  return {
    begin({ uri, uriComplete, userCode }) {
      const page = uriComplete ?? uri
      const code = renderQr(page.href, screen, LINES_BESIDE)
      const how =
        code === undefined ? 'open this address in any browser' : 'scan this, or open the address in any browser'
      screen.write(`To sign in to ${paint('bold', host)}, ${how}:\n\n${code === undefined ? '' : `${code}\n`}`)
      screen.write(`  ${paint('code', uri.href)}\n  and enter the code  ${paint('bold', userCode)}\n\n`)
      stopListening = onEnter((lines) => {
        // What was typed has moved the cursor.
        screen.write(`\u001b[${lines}A`)
        if (open && opened !== 'opened') {
          opened = 'opened'
          open(page, () => {
            opened = 'failed'
          })
        }
        draw()
      })
      stopTicking = tick(draw)
    },
    update(next) {
      waiting = next
      draw()
    },
    end() {
      stopTicking()
      stopListening?.()
      waiting = undefined
      region.clear()
    },
  }
}
