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

/** A message's blocks are refused (`msg_blocks_too_long`) from about 13,000 characters on, which is documented nowhere. */
const BLOCKS = 12_000

/** What is shown where blocks are not: Slack recommends to stay below 4,000 and cuts at 40,000. */
const FALLBACK = 4000

/** Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack: Service = {
  payload(message) {
    const report = describeReport(message)
    const heading = `*${escapeText(describeHeading(message))}*`
    const ending = report === undefined ? [] : [escapeText(report)]
    const linesWithin = (room: number) => {
      const taken = [heading, ...ending].reduce((sum, line) => sum + sizeInJson(line), 0)
      return [heading, ...fittingLines(message.problems, room - taken), ...ending]
    }
    const sections = groupLines(linesWithin(BLOCKS))
    return {
      text: linesWithin(FALLBACK).join('\n'),
      blocks: sections.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })),
      unfurl_links: false,
      unfurl_media: false,
    }
  },
  complaint(answer) {
    const isRefused = /"ok"\s*:\s*false/.test(answer)
    return isRefused ? { reason: 'Slack refused the message', isPassing: false } : undefined
  },
}

function fittingLines(problems: readonly NotifiedProblem[], room: number): string[] {
  const lines = problems.map((problem) => writeLine(problem, escapeText, '*'))
  const shown = fit(lines, room, sizeInJson, sizeInJson(describeRest(lines.length)))
  const left = lines.length - shown.length
  return left === 0 ? [...shown] : [...shown, describeRest(left)]
}

/** A line in the JSON, with its share of the section around it. The shortest lines of a full section are 60 characters. */
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
 * The three characters that start links and mentions such as `<!channel>` have an escape. Those of emphasis have none:
 * they become characters that look alike, but not inside words, where they mean nothing and names have them.
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
