import { createLiveRegion } from '../console/progress/live-region.js'
import { renderQr } from '../console/qr.js'
import type { Screen } from '../console/screen.js'
import { formatTimeLeft } from '../console/text/amounts.js'
import { createPaint } from '../console/text/paint.js'
import { sanitize } from '../console/text/sanitize.js'
import { truncate } from '../console/text/width.js'
import type { DeviceAuthorization } from './read-responses.js'
import type { Waiting } from './wait-for-approval.js'

/** What the user sees during a sign-in. */
export interface LoginView {
  /** Shows the address and the code. */
  begin(device: DeviceAuthorization): void
  update(waiting: Waiting): void
  /** Removes what was shown during the wait. */
  end(): void
}

export interface LoginViewOptions {
  readonly host: string
  readonly quiet: boolean
  readonly monotonic: () => number
  readonly tick: (redraw: () => void) => () => void
  /** Listens for Enter; undefined without a terminal. */
  readonly onEnter: (pressed: (lines: number) => void) => (() => void) | undefined
  /** Opens a URL in a browser; undefined if there is none. */
  readonly open: ((url: URL, failed: () => void) => void) | undefined
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const SPIN_MILLISECONDS = 100

/** Lines around the QR code: a sentence, the address, the code, empty lines, and the progress line. */
const LINES_AROUND_QR = 7

/**
 * Shows how to sign in: on a terminal with a QR code, a countdown, and a browser that Enter opens; elsewhere as plain lines.
 *
 * @example
 * const view = createLoginView(session.out, { host: 'omen.example.com', … })
 * view.begin(device)
 */
export function createLoginView(screen: Screen, options: LoginViewOptions): LoginView {
  return screen.isTerminal && !options.quiet ? liveView(screen, options) : plainView(screen, options)
}

function plainView(screen: Screen, { host, quiet }: LoginViewOptions): LoginView {
  let reported: string | undefined
  return {
    begin({ uri, uriComplete, userCode, lifetime }) {
      const minutes = Math.max(1, Math.round(lifetime / 60_000))
      screen.write(`To sign in to ${host}, open ${uri.href} and enter the code ${userCode}\n`)
      if (quiet) return
      if (uriComplete) screen.write(`Or open ${uriComplete.href} and compare the code.\n`)
      screen.write(`Waiting up to ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} for approval.\n`)
    },
    update({ failure }) {
      if (failure !== undefined && failure !== reported && !quiet) screen.write(`${host}: ${failure}: trying again.\n`)
      reported = failure
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
    const { failure } = waiting
    const what = failure === undefined ? 'Waiting for approval' : `${host}: ${sanitize(failure)}: trying again`
    const line = truncate(`${what}, ${left}${hint()}`, Math.max(10, screen.columns - 2))
    region.draw([`${paint('code', spinner)} ${line}`])
  }

  function hint(): string {
    if (!stopListening || !open) return ''
    if (opened === 'failed') return '. The browser did not open: open the address yourself'
    return opened === 'opened' ? '. Continue in your browser' : '. Press Enter to open it in your browser'
  }

  return {
    begin({ uri, uriComplete, userCode }) {
      const page = uriComplete ?? uri
      const code = renderQr(page.href, screen, LINES_AROUND_QR)
      const how =
        code === undefined ? 'open this address in any browser' : 'scan this, or open the address in any browser'
      screen.write(`To sign in to ${paint('bold', host)}, ${how}:\n\n${code === undefined ? '' : `${code}\n`}`)
      screen.write(`  ${paint('code', uri.href)}\n  and enter the code  ${paint('bold', userCode)}\n\n`)
      stopListening = onEnter((lines) => {
        // The typed line has moved the cursor.
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
