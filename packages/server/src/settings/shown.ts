/** Longer values are cut in messages: whoever wrote them knows how they go on. */
const LONGEST_SHOWN = 60

/**
 * A foreign word as a message shows it: in quotes, cut to a length, with nothing in it that a terminal would act on.
 *
 * @example
 * shown('80 80') // '"80 80"'
 */
export function shown(word: string): string {
  const cut = word.length > LONGEST_SHOWN ? `${word.slice(0, LONGEST_SHOWN)}…` : word
  return JSON.stringify(cut).replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}

/**
 * A database URL fit for a screen or a log: where the database is, without user, password or options.
 *
 * @example
 * shownDatabase('postgres://omen:secret@db.example.com/omen') // 'postgres://db.example.com/omen'
 */
export function shownDatabase(url: string): string {
  if (!URL.canParse(url)) return 'postgres://…'
  const { host, pathname, searchParams } = new URL(url)
  return `postgres://${host || (searchParams.get('host') ?? '')}${pathname}`
}
