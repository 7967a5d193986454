import {
  describeHeading,
  describeProblem,
  describeReport,
  describeRest,
  fit,
  type NotifiedProblem,
} from '../message.js'
import type { Service } from './services.js'

/** The limit is about 28 KB, including what Teams adds. */
const MESSAGE = 26_000

const COLOURS: Readonly<Record<string, string>> = {
  critical: 'Attention',
  high: 'Attention',
  medium: 'Warning',
  low: 'Accent',
  info: 'Default',
}

/**
 * Teams: an Adaptive Card in the envelope that Workflows and the older connectors accept. Text is in text runs, which show it
 * unchanged, whereas a text block would interpret Markdown.
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
 */
export const teams: Service = {
  payload(message) {
    const heading = describeHeading(message)
    const report = describeReport(message)
    const ending = report === undefined ? [] : [textBlock([run(report, { isSubtle: true, size: 'Small' })])]
    const frame = (lines: readonly unknown[]) =>
      envelope([textBlock([run(heading, { weight: 'Bolder', size: 'Medium' })]), ...lines, ...ending])
    const lines = message.problems.map(problemBlock)
    const more = (left: number) => textBlock([run(describeRest(left), { isSubtle: true })])
    const shown = fit(lines, MESSAGE - sizeOf(frame([])), (line) => sizeOf(line) + 2, sizeOf(more(lines.length)) + 2)
    const left = lines.length - shown.length
    return frame(left === 0 ? shown : [...shown, more(left)])
  },
  /** The older connectors always respond with 200; the body is `1` or an error. */
  rejection(body) {
    if (!body.includes('delivery failed')) return undefined
    const status = /HTTP error (\d{3})/.exec(body)?.[1]
    return {
      reason:
        status === undefined
          ? 'Teams could not deliver the message'
          : `Teams could not deliver the message (HTTP ${status})`,
      isTemporary: status === '429' || status?.startsWith('5') === true,
    }
  },
}

function problemBlock(problem: NotifiedProblem) {
  const { id, severity, title, detail } = describeProblem(problem)
  const color = COLOURS[severity] ?? 'Default'
  const rest = title === '' ? ` ${detail}` : ` ${title} ${detail}`
  return textBlock([run(id, { weight: 'Bolder' }), run(` ${severity}`, { color }), run(rest)])
}

function textBlock(inlines: readonly unknown[]) {
  return { type: 'RichTextBlock', inlines }
}

function run(text: string, style: Readonly<Record<string, unknown>> = {}) {
  return { type: 'TextRun', text, ...style }
}

function envelope(body: readonly unknown[]) {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body,
  }
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  }
}

/** Teams counts UTF-16, the connectors count bytes: the larger size is safe for both. */
function sizeOf(part: unknown): number {
  const json = JSON.stringify(part)
  return Math.max(2 * json.length, Buffer.byteLength(json))
}
