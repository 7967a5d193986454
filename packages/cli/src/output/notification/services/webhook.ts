import { SEVERITY_LABELS } from '@omen/engine'
import { VERSION } from '../../../version.js'
import { clean, type NotificationMessage, type NotifiedProblem } from '../message.js'
import type { Service } from './services.js'

/** Incremented for incompatible changes, but not for new fields. */
const FORMAT = 1

/** A custom server: JSON that docs/notifications.md describes. */
export const webhook: Service = {
  payload(message, now) {
    const { prefix, host, problems, reportName } = message
    return {
      version: FORMAT,
      tool: `omen ${VERSION}`,
      time: now.toISOString(),
      prefix,
      host,
      ...(reportName === undefined ? {} : { report: reportName }),
      summary: summarize(message),
      problems: problems.map(describe),
    }
  },
}

function summarize({ problems }: NotificationMessage) {
  const hits = problems.reduce((sum, problem) => sum + problem.hits, 0)
  const counts = SEVERITY_LABELS.map((label) => [label, problems.filter(({ severity }) => severity === label).length])
  return { problems: problems.length, hits, ...Object.fromEntries(counts) }
}

/** Lists the fields one by one, so that a field added to a problem is not sent by accident. */
function describe({ id, severity, title, hits, first, places }: NotifiedProblem) {
  const named = title === undefined ? {} : { title: clean(title, 1000) }
  return { id, severity, ...named, hits, first, ...(places && { places: places.map((place) => clean(place, 400)) }) }
}
