import type { RuleFile } from './rule-files.js'

/** As much as the engine takes: a bomb is not unpacked any further. */
const LONGEST_TEXT = 64 * 1024 * 1024

/**
 * The text of a rule document, unpacked and without a byte order mark. Undefined when it cannot be read as text, about which
 * the compiler has more to say.
 */
export async function documentText({ bytes }: RuleFile): Promise<string | undefined> {
  try {
    const text = Buffer.from(await unpack(bytes)).toString('utf8')
    return text.startsWith('\ufeff') ? text.slice(1) : text
  } catch {
    return undefined
  }
}

async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  const { gunzipSync } = await import('node:zlib')
  return gunzipSync(bytes, { maxOutputLength: LONGEST_TEXT })
}
