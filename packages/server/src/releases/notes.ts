/**
 * The `notes` of the version section of a document stream, on one line; empty where there are none.
 *
 * @example
 * await readNotes('section: version\ncontent:\n  - version: 1.4.0\n    notes: Five new rules.\n') // 'Five new rules.'
 */
export async function readNotes(text: string): Promise<string> {
  const { parseAllDocuments } = await import('yaml')
  const documents = parseAllDocuments(text, { logLevel: 'silent' })
  for (const document of Array.isArray(documents) ? documents : []) {
    if (document.errors.length > 0 || document.get('section') !== 'version') continue
    const notes = document.getIn(['content', 0, 'notes'])
    if (typeof notes === 'string') return onOneLine(notes)
  }
  return ''
}

/** As much as a prompt can show. */
export const LONGEST_NOTES = 2000

export function onOneLine(notes: string): string {
  return notes
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NOTES)
}
