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
type Refused = keyof typeof ADVICE

/** What to run instead, for a file and for a pipe. */
const ADVICE = {
  tar: { is: 'a tar archive', file: 'tar -xOf FILE | omen', pipe: '… | tar -xO | omen' },
  zip: { is: 'a zip archive', file: 'unzip -p FILE | omen', pipe: '… | funzip | omen' },
  '7z': { is: 'a 7z archive', file: '7z x -so FILE | omen', pipe: undefined },
  rar: { is: 'a rar archive', file: 'unrar p -inul FILE | omen', pipe: undefined },
  lz4: { is: 'lz4-compressed', file: 'lz4 -dc FILE | omen', pipe: '… | lz4 -dc | omen' },
  lzip: { is: 'lzip-compressed', file: 'lzip -dc FILE | omen', pipe: '… | lzip -dc | omen' },
  compress: { is: 'compressed with compress', file: 'zcat FILE | omen', pipe: '… | zcat | omen' },
  journal: {
    is: 'a systemd journal',
    file: 'journalctl -o short-iso-precise --file FILE | omen',
    pipe: 'journalctl -o short-iso-precise | omen',
  },
  'UTF-32': {
    is: 'UTF-32 text',
    file: 'iconv -f UTF-32 -t UTF-8 FILE | omen',
    pipe: '… | iconv -f UTF-32 -t UTF-8 | omen',
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
  return { is: 'text', encoding: findSignature(head, ENCODINGS) }
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
  return new Failure('Data', describeRefusal(kind, path, compressedIn), { cause: kind })
}

/** Whether data was refused for its kind; any other error may not occur again. */
export function isRefusal(error: unknown): error is Failure {
  return error instanceof Failure && typeof error.cause === 'string'
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
function quoteForShell(path: string): string {
  if (/^[\w@%+=:,./-]+$/.test(path)) return path
  return `'${path.replaceAll("'", "'\\''")}'`
}
