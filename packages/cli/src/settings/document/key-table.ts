import type { Key, Keys, Shape } from './shape.js'

const NAMES: Partial<Readonly<Record<Shape['is'], string>>> = {
  prose: 'text',
  boolean: '`true` or `false`',
  'path-pattern': 'path or glob',
  url: 'URL',
  'time-pattern': 'regular expression',
  'time-format': 'time format',
  zone: 'time zone',
  'public-key': 'PEM key or path',
}

/** The plurals that do not end in s. */
const PLURALS: Partial<Readonly<Record<Shape['is'], string>>> = { path: 'paths', 'public-key': 'PEM keys or paths' }

/**
 * The rows of a table of keys for the manual, in Markdown: name, type, default, meaning. A test compares the manual with it.
 *
 * @example
 * describeKeys(CONFIG_KEYS)[0] // ['`rules.paths`', 'list of paths', '', 'custom rule documents and folders; same as `-r`']
 */
export function describeKeys(keys: Keys, prefix = ''): readonly (readonly string[])[] {
  return Object.entries(keys).flatMap(([name, key]) => {
    if (key.misplaced) return []
    const isWhole = key.shape.is !== 'map' || Object.values(key.shape.keys).some(({ required }) => required)
    if (!isWhole) return describeKeys((key.shape as { keys: Keys }).keys, `${prefix}${name}.`)
    return [[`\`${prefix}${name}\``, nameOf(key.shape), defaultOf(key), key.about]]
  })
}

function nameOf(shape: Shape): string {
  if (shape.is === 'list') return `list of ${PLURALS[shape.of.is] ?? nameOf(shape.of)}`
  if (shape.is === 'map') return mapOf(shape.keys)
  if (shape.is === 'integer') return `${shape.from} to ${shape.to.toLocaleString('en')}`
  if (shape.is === 'choice') return shape.of.map((choice) => `\`${choice}\``).join(', ')
  return NAMES[shape.is] ?? shape.is
}

function mapOf(keys: Keys): string {
  const names = Object.entries(keys).flatMap(([name, { misplaced }]) => (misplaced ? [] : [name]))
  return `\`{${names.join(', ')}}\``
}

function defaultOf(key: Key): string {
  if (key.required) return 'required'
  return key.default === undefined ? '' : `\`${key.default}\``
}
