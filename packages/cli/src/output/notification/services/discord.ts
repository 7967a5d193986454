import {
  describeHeading,
  describeReport,
  describeRest,
  escapeMarkdown,
  fit,
  type NotifiedProblem,
  writeLine,
} from '../message.js'
import type { Service } from './services.js'

/** The longest description of an embed. One embed is enough, because a whole message may have only 6,000 characters. */
const DESCRIPTION = 4096

const COLOURS: Readonly<Record<string, number>> = {
  critical: 0xd9_2d_20,
  high: 0xf7_90_09,
  medium: 0xfd_b0_22,
  low: 0x2e_90_fa,
  info: 0x98_a2_b3,
}

/** Discord: https://docs.discord.com/developers/resources/webhook#execute-webhook */
export const discord: Service = {
  payload(message) {
    const report = describeReport(message)
    return {
      content: `**${escapeText(describeHeading(message))}**`,
      embeds: [
        {
          description: describeProblems(message.problems),
          color: worstColour(message.problems),
          ...(report === undefined ? {} : { footer: { text: report } }),
        },
      ],
      // Nobody is mentioned, regardless of the text.
      allowed_mentions: { parse: [] },
    }
  },
}

function describeProblems(problems: readonly NotifiedProblem[]): string {
  const lines = problems.map((problem) => `${writeLine(problem, escapeText, '**')}\n`)
  const shown = fit(lines, DESCRIPTION, (line) => line.length, describeRest(lines.length).length)
  const left = lines.length - shown.length
  return `${shown.join('')}${left === 0 ? '' : describeRest(left)}`.trimEnd()
}

function worstColour(problems: readonly NotifiedProblem[]): number | undefined {
  const present = new Set(problems.map(({ severity }) => severity))
  return Object.entries(COLOURS).find(([severity]) => present.has(severity))?.[1] ?? COLOURS.info
}

/** References of Discord start with `<`: users, channels, emojis, times. */
function escapeText(text: string): string {
  return escapeMarkdown(text).replace(/</g, '\\<')
}
