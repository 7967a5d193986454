import { describeHeading, describeReport, describeRest, escapeMarkdown, fit, writeLine } from '../message.js'
import type { Service } from './services.js'

/** The longest post that a server accepts. */
const POST = 16_383

/** Mattermost: https://developers.mattermost.com/integrate/webhooks/incoming/ */
export const mattermost: Service = {
  payload(message) {
    const heading = `**${escapeMarkdown(describeHeading(message))}**\n`
    const report = describeReport(message)
    const ending = report === undefined ? '' : `\n${escapeMarkdown(report)}`
    const lines = message.problems.map((problem) => `\n- ${writeLine(problem, escapeMarkdown, '**')}`)
    const more = (left: number) => `\n- ${describeRest(left)}`
    const available = POST - heading.length - ending.length - 1
    const shown = fit(lines, available, (line) => line.length, more(lines.length).length)
    const left = lines.length - shown.length
    // An empty line ends the list; otherwise the report would be part of its last item.
    const tail = `${left === 0 ? '' : more(left)}${ending === '' ? '' : `\n${ending}`}`
    return { text: `${heading}${shown.join('')}${tail}` }
  },
}
