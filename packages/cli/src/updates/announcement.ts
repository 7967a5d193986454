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
  /** What is new, in a line. */
  readonly notes: string | undefined
}

/** The tool itself, for one platform. */
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

/** What the service has: the newest of each kind, where there is one. */
export interface Announcement {
  readonly rules: PackageOffer | undefined
  /** Rules of the organization alone, which run beside the community's. */
  readonly private: PackageOffer | undefined
  readonly tool: ToolOffer | undefined
}

/** Rule documents have at most 64 MiB, so a package has less. */
const LARGEST_PACKAGE = 64 * 1024 * 1024
/** A single-file executable has about 100 MB. */
const LARGEST_TOOL = 512 * 1024 * 1024
const LONGEST_NOTES = 200

const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,64})?$/
const SHA256 = /^[0-9a-f]{64}$/
const PLATFORM = /^[a-z0-9]{1,32}-[a-z0-9]{1,32}$/

/** The packages of each kind have names of their own: a private one can never take the place of the community's. */
const PACKAGE_NAMES = {
  rules: /^omen-public-cre-rules\.(.+)\.([0-9a-f]{12})\.yaml\.gz$/,
  private: /^omen-private-cre-rules\.(.+)\.([0-9a-f]{12})\.yaml\.gz$/,
} as const

/**
 * Reads what `GET /v1/rules/latest` answers. Every file must lie at the service itself. Throws a `Failure` that names what is
 * wrong; fields that nobody knows are left alone.
 *
 * @example
 * readAnnouncement('{"rules": {"version": "1.4.0", …}}', new URL('https://omen.example.com')).rules?.version // '1.4.0'
 */
export function readAnnouncement(text: string, service: URL): Announcement {
  const answer = fieldsOf(parse(text), '', service)
  return {
    rules: answer.optional('rules', (fields) => readPackage(fields, 'rules')),
    private: answer.optional('private', (fields) => readPackage(fields, 'private')),
    tool: answer.optional('tool', readTool),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong('the answer is not JSON')
  }
}

function readPackage(fields: Fields, kind: keyof typeof PACKAGE_NAMES): PackageOffer {
  const version = fields.text('version', VERSION)
  const file = fields.text('file', PACKAGE_NAMES[kind])
  const sha256 = fields.text('sha256', SHA256)
  const [, named, hash] = PACKAGE_NAMES[kind].exec(file) ?? []
  if (named !== version) throw wrong(`${fields.name('file')} is not of version ${version}`)
  if (hash !== sha256.slice(0, 12)) throw wrong(`${fields.name('file')} has another hash than ${fields.name('sha256')}`)
  return {
    version,
    file,
    size: fields.size('size', LARGEST_PACKAGE),
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
    size: file.size('size', LARGEST_TOOL),
    sha256: file.text('sha256', SHA256),
    url: file.url('url'),
    sigUrl: file.url('sig_url'),
  }))
  return { version: fields.text('version', VERSION), files, notes: fields.notes() }
}

interface Fields {
  name(key: string): string
  text(key: string, form: RegExp): string
  size(key: string, most: number): number
  url(key: string): URL
  notes(): string | undefined
  optional<T>(key: string, read: (fields: Fields) => T): T | undefined
  list<T>(key: string, read: (fields: Fields) => T): readonly T[]
}

/** The fields of an object, each read with what it must be. */
function fieldsOf(value: unknown, path: string, service: URL): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(`${path || 'the answer'} is no object`)
  const object = value as Readonly<Record<string, unknown>>
  const name = (key: string) => (path === '' ? key : `${path}.${key}`)
  return {
    name,
    text(key, form) {
      const text = object[key]
      if (typeof text === 'string' && form.test(text)) return text
      throw wrong(`${name(key)} is ${text === undefined ? 'missing' : 'not what it should be'}`)
    },
    size(key, most) {
      const size = object[key]
      if (Number.isSafeInteger(size) && (size as number) > 0 && (size as number) <= most) return size as number
      throw wrong(`${name(key)} is ${size === undefined ? 'missing' : `not between 1 and ${most}`}`)
    },
    url(key) {
      const text = object[key]
      if (typeof text !== 'string' || !URL.canParse(text, service.href)) throw wrong(`${name(key)} is no address`)
      const url = new URL(text, service)
      if (url.origin !== service.origin) throw wrong(`${name(key)} leads to ${url.host}, not to ${service.host}`)
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
      if (!Array.isArray(list)) throw wrong(`${name(key)} is no list`)
      return list.map((item, index) => read(fieldsOf(item, `${name(key)}[${index}]`, service)))
    },
  }
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return line.length <= LONGEST_NOTES ? line : `${line.slice(0, LONGEST_NOTES - 1)}…`
}

function wrong(what: string): Failure {
  return new Failure('Network', `the service announces its releases wrongly: ${what}`)
}
