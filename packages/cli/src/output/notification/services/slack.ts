import {
  breakReferences,
  describeHeading,
  describeReport,
  describeRest,
  fit,
  type NotifiedProblem,
  writeLine,
} from '../message.js'
import type { Service } from './services.js'

/** The documented limit of the text of a section. */
const SECTION = 3000

/** Slack rejects blocks (`msg_blocks_too_long`) of more than about 13,000 characters, which is not documented. */
const BLOCKS = 12_000

/** The text for clients without blocks: Slack recommends at most 4,000 characters and cuts at 40,000. */
const FALLBACK = 4000

/** Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack: Service = {
  payload(message) {
    const report = describeReport(message)
    const heading = `*${escapeText(describeHeading(message))}*`
    const ending = report === undefined ? [] : [escapeText(report)]
    const linesWithin = (available: number) => {
      const taken = [heading, ...ending].reduce((sum, line) => sum + sizeInJson(line), 0)
      return [heading, ...fittingLines(message.problems, available - taken), ...ending]
    }
    const sections = groupLines(linesWithin(BLOCKS))
    return {
      text: linesWithin(FALLBACK).join('\n'),
      blocks: sections.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })),
      unfurl_links: false,
      unfurl_media: false,
    }
  },
  rejection(body) {
    const isRejected = /"ok"\s*:\s*false/.test(body)
    return isRejected ? { reason: 'Slack rejected the message', isTemporary: false } : undefined
  },
}

function fittingLines(problems: readonly NotifiedProblem[], available: number): string[] {
  const lines = problems.map((problem) => writeLine(problem, escapeText, '*'))
  const shown = fit(lines, available, sizeInJson, sizeInJson(describeRest(lines.length)))
  const left = lines.length - shown.length
  return left === 0 ? [...shown] : [...shown, describeRest(left)]
}

/** The size of a line in JSON, with its share of the section around it. */
function sizeInJson(line: string): number {
  return JSON.stringify(line).length + 4
}

function groupLines(lines: readonly string[]): string[] {
  const groups: string[] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last !== undefined && last.length + 1 + line.length <= SECTION) groups[groups.length - 1] = `${last}\n${line}`
    else groups.push(line)
  }
  return groups
}

/**
 * Escapes the three characters that start links and mentions such as `<!channel>`. Emphasis cannot be escaped: its characters are
 * replaced by similar ones, except for underscores inside words, which have no meaning there.
 */
function escapeText(text: string): string {
  return breakReferences(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/`/g, 'ˋ')
    .replace(/\*/g, '∗')
    .replace(/~/g, '∼')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, 'ˍ')
}
