import { Failure } from '../failure.js'

/** A package of rules that the service offers. */
export interface PackageOffer {
  readonly version: string
  readonly file: string
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
  readonly url: URL
  readonly sha256Url: URL
  readonly sigUrl: URL
  /** What is new, in one line. */
  readonly notes: string | undefined
}

/** The tool for one platform. */
export interface ToolFile {
  readonly platform: string
  readonly size: number
  readonly sha256: string
  readonly url: URL
  readonly sigUrl: URL
}

export interface ToolOffer {
  readonly version: string
  readonly files: readonly ToolFile[]
  readonly notes: string | undefined
}

/** The newest release of each kind, if there is one. */
export interface Announcement {
  readonly rules: PackageOffer | undefined
  /** The organization's own rules, which run together with the community rules. */
  readonly private: PackageOffer | undefined
  readonly tool: ToolOffer | undefined
}

/** Rule documents have at most 64 MiB, so a compressed package has less. */
const MAX_PACKAGE_SIZE = 64 * 1024 * 1024
/** A single-file executable has about 100 MB. */
const MAX_TOOL_SIZE = 512 * 1024 * 1024
const MAX_NOTES_LENGTH = 200

const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,64})?$/
const SHA256 = /^[0-9a-f]{64}$/
const PLATFORM = /^[a-z0-9]{1,32}-[a-z0-9]{1,32}$/

/** Each kind of package has its own names, so that a private package cannot replace the community rules. */
const PACKAGE_NAMES = {
  rules: /^omen-public-cre-rules\.(.+)\.([0-9a-f]{12})\.yaml\.gz$/,
  private: /^omen-private-cre-rules\.(.+)\.([0-9a-f]{12})\.yaml\.gz$/,
} as const

/**
 * Reads the response of `GET /v1/rules/latest`. The URL of every file must have the origin of the service. Throws a `Failure` that
 * names the invalid field; unknown fields are ignored.
 *
 * @example
 * readAnnouncement('{"rules": {"version": "1.4.0", …}}', new URL('https://omen.example.com')).rules?.version // '1.4.0'
 */
export function readAnnouncement(text: string, service: URL): Announcement {
  const fields = fieldsOf(parse(text), '', service)
  return {
    rules: fields.optional('rules', (offer) => readPackage(offer, 'rules')),
    private: fields.optional('private', (offer) => readPackage(offer, 'private')),
    tool: fields.optional('tool', readTool),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('it is not JSON')
  }
}

function readPackage(fields: Fields, kind: keyof typeof PACKAGE_NAMES): PackageOffer {
  const version = fields.text('version', VERSION)
  const file = fields.text('file', PACKAGE_NAMES[kind])
  const sha256 = fields.text('sha256', SHA256)
  const [, named, hash] = PACKAGE_NAMES[kind].exec(file) ?? []
  if (named !== version) throw invalid(`${fields.name('file')} is not a file of version ${version}`)
  if (hash !== sha256.slice(0, 12))
    throw invalid(`${fields.name('file')} does not contain the hash of ${fields.name('sha256')}`)
  return {
    version,
    file,
    size: fields.size('size', MAX_PACKAGE_SIZE),
    sha256,
    url: fields.url('url'),
    sha256Url: fields.url('sha256_url'),
    sigUrl: fields.url('sig_url'),
    notes: fields.notes(),
  }
}

function readTool(fields: Fields): ToolOffer {
  const files = fields.list('files', (file) => ({
    platform: file.text('platform', PLATFORM),
    size: file.size('size', MAX_TOOL_SIZE),
    sha256: file.text('sha256', SHA256),
    url: file.url('url'),
    sigUrl: file.url('sig_url'),
  }))
  return { version: fields.text('version', VERSION), files, notes: fields.notes() }
}

interface Fields {
  name(key: string): string
  text(key: string, pattern: RegExp): string
  size(key: string, max: number): number
  url(key: string): URL
  notes(): string | undefined
  optional<T>(key: string, read: (fields: Fields) => T): T | undefined
  list<T>(key: string, read: (fields: Fields) => T): readonly T[]
}

/** Reads and validates the fields of an object. */
function fieldsOf(value: unknown, path: string, service: URL): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`${path || 'the response'} is not an object`)
  const object = value as Readonly<Record<string, unknown>>
  const name = (key: string) => (path === '' ? key : `${path}.${key}`)
  return {
    name,
    text(key, pattern) {
      const text = object[key]
      if (typeof text === 'string' && pattern.test(text)) return text
      throw invalid(`${name(key)} is ${text === undefined ? 'missing' : 'not valid'}`)
    },
    size(key, max) {
      const size = object[key]
      if (Number.isSafeInteger(size) && (size as number) > 0 && (size as number) <= max) return size as number
      throw invalid(`${name(key)} is ${size === undefined ? 'missing' : `not between 1 and ${max}`}`)
    },
    url(key) {
      const text = object[key]
      if (typeof text !== 'string' || !URL.canParse(text, service.href)) throw invalid(`${name(key)} is not a URL`)
      const url = new URL(text, service)
      if (url.origin !== service.origin) throw invalid(`${name(key)} points to ${url.origin}, not to ${service.origin}`)
      return url
    },
    notes() {
      const { notes } = object
      return typeof notes === 'string' && notes.trim() !== '' ? firstLine(notes.trim()) : undefined
    },
    optional: (key, read) =>
      object[key] === undefined || object[key] === null ? undefined : read(fieldsOf(object[key], name(key), service)),
    list(key, read) {
      const list = object[key]
      if (!Array.isArray(list)) throw invalid(`${name(key)} is not a list`)
      return list.map((item, index) => read(fieldsOf(item, `${name(key)}[${index}]`, service)))
    },
  }
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return line.length <= MAX_NOTES_LENGTH ? line : `${line.slice(0, MAX_NOTES_LENGTH - 1)}…`
}

function invalid(what: string): Failure {
  return new Failure('Network', `the service sent an invalid announcement: ${what}`)
}
