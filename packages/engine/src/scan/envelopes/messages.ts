import { messageOfJson } from './json.js'
import { messageOfCsvlog } from './postgresql.js'
import { messageOfPrefixed, messageOfTimed } from './prefixes.js'
import { messageOfSyslog, messageOfSyslog5424 } from './syslog.js'

/** Takes the message out of a text; undefined if the text is not in this envelope. */
type Envelope = (text: string) => string | undefined

/** The envelopes that collectors put around what a program wrote; the first one that fits counts. */
const ENVELOPES: readonly Envelope[] = [
  messageOfJson,
  messageOfSyslog5424,
  messageOfSyslog,
  messageOfPrefixed,
  messageOfCsvlog,
  messageOfTimed,
]

/** Envelopes inside each other are opened this many times. */
export const DEEPEST = 4

/**
 * The messages inside the text of an entry, the outermost first; none if the text is not in an envelope.
 *
 * @example
 * messagesOf('web-1  | {"msg":"disk full"}') // ['{"msg":"disk full"}', 'disk full']
 */
export function messagesOf(text: string): string[] {
  const texts = new EntryTexts(text)
  const messages: string[] = []
  for (let depth = 1, message = texts.at(depth); message !== undefined; message = texts.at(++depth))
    messages.push(message)
  return messages
}

/** The text of an entry, at depth 0, and the messages inside it, which are found when they are needed and then kept. */
export class EntryTexts {
  readonly #texts: (string | undefined)[]

  constructor(text: string) {
    this.#texts = [text]
  }

  /** The text or message at a depth, if there is one. The one before it must have been asked for. */
  at(depth: number): string | undefined {
    if (depth === this.#texts.length && depth <= DEEPEST) this.#texts.push(messageOf(this.#texts[depth - 1]!))
    return this.#texts[depth]
  }
}

function messageOf(text: string): string | undefined {
  for (const open of ENVELOPES) {
    const message = open(text)
    if (message !== undefined) return message
  }
  return undefined
}
