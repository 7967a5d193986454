import { Failure } from '../failure.js'
import {
  COMPRESSIONS,
  type Compression,
  detectCompression,
  findSignature,
  mayBecome,
  type Signature,
} from './compression.js'

/** A kind of data that cannot be read as lines. */
export type Refused = keyof typeof ADVICE

/** What such data is called, and what to run instead, for a file and for a pipe. */
export const ADVICE = {
  tar: {
    is: 'a tar archive',
    names: ['tar archive', 'tar archives'],
    file: 'tar -xOf FILE | omen',
    pipe: '… | tar -xO | omen',
  },
  zip: {
    is: 'a zip archive',
    names: ['zip archive', 'zip archives'],
    file: 'unzip -p FILE | omen',
    pipe: '… | funzip | omen',
  },
  '7z': { is: 'a 7z archive', names: ['7z archive', '7z archives'], file: '7z x -so FILE | omen', pipe: undefined },
  rar: {
    is: 'a rar archive',
    names: ['rar archive', 'rar archives'],
    file: 'unrar p -inul FILE | omen',
    pipe: undefined,
  },
  lz4: {
    is: 'lz4-compressed',
    names: ['lz4 file', 'lz4 files'],
    file: 'lz4 -dc FILE | omen',
    pipe: '… | lz4 -dc | omen',
  },
  lzip: {
    is: 'lzip-compressed',
    names: ['lzip file', 'lzip files'],
    file: 'lzip -dc FILE | omen',
    pipe: '… | lzip -dc | omen',
  },
  compress: {
    is: 'compressed with compress',
    names: ['compress file', 'compress files'],
    file: 'zcat FILE | omen',
    pipe: '… | zcat | omen',
  },
  journal: {
    is: 'a systemd journal',
    names: ['systemd journal', 'systemd journals'],
    file: 'journalctl -o short-iso-precise --file FILE | omen',
    pipe: 'journalctl -o short-iso-precise | omen',
  },
  'UTF-32': {
    is: 'UTF-32 text',
    names: ['UTF-32 file', 'UTF-32 files'],
    file: 'iconv -f UTF-32 -t UTF-8 FILE | omen',
    pipe: '… | iconv -f UTF-32 -t UTF-8 | omen',
  },
  nested: {
    is: 'compressed twice',
    names: ['file compressed twice', 'files compressed twice'],
    file: 'unpack FILE first',
    pipe: undefined,
  },
} as const

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0))

const REFUSED: readonly Signature<Refused>[] = [
  { kind: 'zip', bytes: [...ascii('PK'), 3, 4] },
  { kind: 'zip', bytes: [...ascii('PK'), 5, 6] },
  { kind: '7z', bytes: [...ascii('7z'), 0xbc, 0xaf, 0x27, 0x1c] },
  { kind: 'rar', bytes: [...ascii('Rar!'), 0x1a, 0x07] },
  { kind: 'lz4', bytes: [0x04, 0x22, 0x4d, 0x18] },
  { kind: 'lzip', bytes: ascii('LZIP') },
  { kind: 'compress', bytes: [0x1f, 0x9d] },
  { kind: 'journal', bytes: ascii('LPKSHHRH') },
  { kind: 'UTF-32', bytes: [0xff, 0xfe, 0, 0] },
  { kind: 'UTF-32', bytes: [0, 0, 0xfe, 0xff] },
]

/** The byte order marks of the encodings that are converted to UTF-8. The engine skips that of UTF-8. */
const ENCODINGS: readonly Signature<'utf-16le' | 'utf-16be'>[] = [
  { kind: 'utf-16le', bytes: [0xff, 0xfe] },
  { kind: 'utf-16be', bytes: [0xfe, 0xff] },
]

export type Encoding = (typeof ENCODINGS)[number]['kind']

/** A tar header has its magic after the name of the first file and a checksum. */
const TAR_MAGIC = ascii('ustar')
const TAR_MAGIC_AT = 257

/** What the first bytes show. */
export type Contents =
  | { readonly is: 'text'; readonly encoding: Encoding | undefined }
  | { readonly is: 'compressed'; readonly compression: Compression }
  | { readonly is: 'refused'; readonly kind: Refused }

/**
 * Detects the kind of data by its first bytes.
 *
 * @example
 * inspect(Buffer.from('PK\x03\x04')) // { is: 'refused', kind: 'zip' }
 */
export function inspect(head: Uint8Array): Contents {
  const compression = detectCompression(head)
  if (compression) return { is: 'compressed', compression }
  const refused = isTar(head) ? 'tar' : findSignature(head, REFUSED)
  if (refused) return { is: 'refused', kind: refused }
  return { is: 'text', encoding: findSignature(head, ENCODINGS) ?? guessUtf16(head) }
}

/** The first bytes show the kind of text; there may be many more. */
const INSPECTED = 4096

/** The fewest characters from which UTF-16 without a byte order mark is recognised. */
const FEWEST_CHARACTERS = 16

/** UTF-16 without a byte order mark: in a log, nearly every second byte is zero, and the others are text. */
function guessUtf16(head: Uint8Array): Encoding | undefined {
  if (head.length < 2 * FEWEST_CHARACTERS || !head.includes(0)) return undefined
  const bytes = head.subarray(0, INSPECTED)
  const [even, odd] = [0, 1].map((first) => bytes.filter((_, index) => index % 2 === first))
  if (isText(even!) && isMostlyZero(odd!)) return 'utf-16le'
  return isText(odd!) && isMostlyZero(even!) ? 'utf-16be' : undefined
}

function isText(bytes: Uint8Array): boolean {
  return !bytes.some(isForeign)
}

function isMostlyZero(bytes: Uint8Array): boolean {
  return bytes.filter((byte) => byte === 0).length >= 0.8 * bytes.length
}

/** Text with a few zero bytes, as after a crash, is still text: this share of other characters is not. */
const BINARY_SHARE = 0.1

/**
 * Whether data that is neither compressed nor an archive is not text: it has zero bytes, and many other bytes that text does not
 * have. A run of zeros counts once, and nothing but zeros is not enough: that is how a log begins whose writer kept its offset
 * when it was truncated.
 *
 * @example
 * isBinary(readFileSync('/bin/ls').subarray(0, 4096)) // true
 */
export function isBinary(head: Uint8Array): boolean {
  if (!head.includes(0)) return false
  const [all, foreign] = countCharacters(new TextDecoder().decode(head.subarray(0, INSPECTED)))
  return all > 1 && foreign > BINARY_SHARE * all
}

/** The number of characters, of which a run of zeros is one, and how many of them text does not contain. */
function countCharacters(text: string): readonly [all: number, foreign: number] {
  let [all, foreign] = [0, 0]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0 && text.charCodeAt(i - 1) === 0) continue
    all++
    if (isForeign(code)) foreign++
  }
  return [all, foreign]
}

const ESCAPE = 0x1b
const DELETE = 0x7f
const NOT_UTF8 = 0xfffd

/** Control characters other than white space and escape, and what is not UTF-8. */
function isForeign(code: number): boolean {
  const isWhiteSpace = code >= 9 && code <= 13
  return (code < 32 && !isWhiteSpace && code !== ESCAPE) || code === DELETE || code === NOT_UTF8
}

/** The failure for data that is not text. */
export function notText(path: string | undefined): Failure {
  const command = path === undefined ? '… | strings | omen' : `strings ${quoteForShell(path)} | omen`
  return new Failure('Data', `binary data is not examined: to read the text in it, try ${command}`, { cause: 'binary' })
}

/** Whether data is not text. A scan warns of it and continues: a pattern in a shell easily matches such files too. */
export function isNotText(error: unknown): error is Failure {
  return error instanceof Failure && error.cause === 'binary'
}

function isTar(head: Uint8Array): boolean {
  return TAR_MAGIC.every((byte, index) => head[TAR_MAGIC_AT + index] === byte)
}

/**
 * Whether more bytes may show another kind of data. For text they never do, so a line typed into a pipe is matched at once.
 */
export function needsMore(head: Uint8Array): boolean {
  const contents = inspect(head)
  if (contents.is !== 'text') return false
  if (mayBecome(head, COMPRESSIONS) || mayBecome(head, REFUSED) || mayBecome(head, ENCODINGS)) return true
  const mayBeTar = contents.encoding === undefined && head.includes(0)
  return mayBeTar && head.length < TAR_MAGIC_AT + TAR_MAGIC.length
}

/**
 * The failure for data that is refused, with the command that makes it readable.
 *
 * @example
 * throw refusal('zip', 'logs.zip') // Data error: a zip archive: try unzip -p logs.zip | omen
 */
export function refusal(kind: Refused | Compression, path: string | undefined, compressedIn?: Compression): Failure {
  // Only tar decompresses an archive on its own.
  const cause = compressedIn && kind !== 'tar' ? 'nested' : kind
  return new Failure('Data', describeRefusal(kind, path, compressedIn), { cause })
}

/** The kind for which data was refused; undefined for any other error, which may not occur again. */
export function refusedKind(error: unknown): Refused | undefined {
  const kind = error instanceof Failure ? error.cause : undefined
  return typeof kind === 'string' && kind in ADVICE ? (kind as Refused) : undefined
}

/** The message of `refusal`. */
export function describeRefusal(
  kind: Refused | Compression,
  path: string | undefined,
  compressedIn?: Compression,
): string {
  if (!(kind in ADVICE)) return `${kind} data in ${compressedIn} data: unpack it first`
  const { is, file, pipe } = ADVICE[kind as Refused]
  // Only tar decompresses an archive on its own.
  if (compressedIn && (kind !== 'tar' || path === undefined)) return `${is} in ${compressedIn} data: unpack it first`
  if (path !== undefined) return `${is}: try ${file.replace('FILE', quoteForShell(path))}`
  return pipe === undefined ? `${is}: unpack it first` : `${is}: try ${pipe}`
}

/** Quotes a path for a shell. */
export function quoteForShell(path: string): string {
  if (/^[\w@%+=:,./-]+$/.test(path)) return path
  return `'${path.replaceAll("'", "'\\''")}'`
}
