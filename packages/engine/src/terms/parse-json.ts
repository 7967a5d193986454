interface Parsed {
  readonly text: string
  readonly value: unknown
}

/** The last texts, the last one first. */
let last: Parsed = { text: '', value: undefined }
let before: Parsed = last

/**
 * Parses JSON; undefined if the text is not JSON. The result must not be changed: those of the last two texts are kept,
 * because an entry and the message inside it are parsed by several conditions in turn.
 *
 * @example
 * parseJson('{"msg":"disk full"}') // { msg: 'disk full' }
 */
export function parseJson(text: string): unknown {
  if (text === last.text) return last.value
  if (text === before.text) [last, before] = [before, last]
  else {
    before = last
    last = { text, value: parse(text) }
  }
  return last.value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
