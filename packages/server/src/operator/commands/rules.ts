import { join } from 'node:path'
import { quote } from '@omen/engine/messages'
import { isVersion } from '@omen/engine/versions'
import { Failure } from '../../failure.js'
import { checksumLine } from '../../releases/file-names.js'
import { packPackage } from '../../releases/pack-package.js'
import { readableMoment } from '../moments.js'
import {
  checkHashFile,
  readCompanion,
  readKeyFile,
  readRuleFolder,
  signFile,
  uploadFile,
  writeWhole,
} from '../release-files.js'
import type { PublishedRecord, ReleaseKind, ReleaseRecord } from '../release-operations.js'
import { formatTable, onOneLine } from '../table.js'
import { type CommandContext, print } from './context.js'

export interface PackOptions {
  readonly version?: string
  readonly out?: string
  readonly key?: string
  readonly private?: boolean
}

export interface PublishOptions {
  readonly org?: string
  readonly notes?: string
  readonly backport?: boolean
}

/** `omen-server rules pack`: a package with its hash and, with a key, its signature. */
export async function packRules(context: CommandContext, folder: string, options: PackOptions): Promise<void> {
  const { version, out = '.', key: keyFile } = options
  if (version !== undefined && !isVersion(version)) {
    throw new Failure('Usage', `--version: ${quote(version)} is not a version such as 1.4.0 or 1.4.0-rc.1`)
  }
  const key = keyFile === undefined ? undefined : await readKeyFile(keyFile)
  const documents = await readRuleFolder(folder)
  const channel = options.private ? 'private' : 'public'
  const packed = await packPackage(documents, { channel, ...(version !== undefined && { version }) }).catch(explain)
  const path = join(out, packed.name)
  await writeWhole(path, packed.bytes)
  await writeWhole(`${path}.sha256`, checksumLine(packed.name, packed.sha256))
  if (key) await writeWhole(`${path}.sig`, await signFile(path, key))
  const { name, version: made, rules, sha256, bytes } = packed
  const result = {
    file: path,
    name,
    version: made,
    rules,
    size: bytes.length,
    sha256,
    ...(key && { key: key.publicKey.id }),
  }
  print(context, result, () => {
    const amount = rules === 1 ? '1 rule' : `${rules} rules`
    const signed = key ? `, signed with the key ${key.publicKey.id}` : ''
    const unsigned = key ? '' : 'It is not signed, so it cannot be published: pack it with --key to sign it.\n'
    return `Packed ${amount} as version ${made}${signed}:\n  ${onOneLine(path)}\n${unsigned}`
  })
}

/** The engine's messages about rules are for their author. */
function explain(error: unknown): never {
  if (error instanceof Error && (error.name === 'RulesError' || error instanceof TypeError)) {
    throw new Failure('Operator', error.message)
  }
  throw error
}

/** `omen-server rules publish` */
export async function publishRules(context: CommandContext, path: string, options: PublishOptions): Promise<void> {
  await checkHashFile(path)
  const signature = await readCompanion(`${path}.sig`, 'there is no such file: pack again with --key')
  const { org, notes, backport } = options
  const published = await context.reach.run(async (operations) =>
    operations.publishRules({
      ...(await uploadFile(operations, path, signature)),
      ...(org !== undefined && { org }),
      ...(notes !== undefined && { notes }),
      ...(backport !== undefined && { backport }),
    }),
  )
  print(context, published, renderPublished)
}

/** A sentence about what was published. */
export function renderPublished({ kind, version, org, outcome, files }: PublishedRecord): string {
  const what = kind === 'rules' ? 'rules' : 'the tool'
  const whom = org === undefined ? 'everybody' : onOneLine(org)
  if (outcome === 'unchanged')
    return `Version ${version} of ${what} was published before, with the same bytes. Nothing changed.\n`
  return `Published version ${version} of ${what} to ${whom}:\n${files.map(({ name }) => `  ${name}\n`).join('')}`
}

/** `omen-server rules list`, `omen-server tool list` */
export async function listReleases(context: CommandContext, kind: ReleaseKind): Promise<void> {
  const releases = await context.reach.run((operations) => operations.listReleases({ kind }))
  print(context, releases, () => (releases.length > 0 ? renderReleases(releases) : 'Nothing is published yet.\n'))
}

function renderReleases(releases: readonly ReleaseRecord[]): string {
  const rows = releases.flatMap(({ version, org, state, publishedAt, files, notes }) =>
    files.map(({ name, size, key }) => [
      version,
      org ?? 'everybody',
      state,
      readableMoment(publishedAt),
      String(size),
      key,
      name,
      notes,
    ]),
  )
  return formatTable(['VERSION', 'FOR', 'STATE', 'PUBLISHED (UTC)', 'BYTES', 'KEY', 'FILE', 'NOTES'], rows)
}

/** `omen-server rules withdraw`, `omen-server tool withdraw` */
export async function withdrawRelease(
  context: CommandContext,
  kind: ReleaseKind,
  { version, org }: { readonly version: string; readonly org?: string },
): Promise<void> {
  const request = { kind, version, ...(org !== undefined && { org }) }
  const withdrawn = await context.reach.run((operations) => operations.withdrawRelease(request))
  print(
    context,
    withdrawn,
    () =>
      `Withdrew version ${version}. Tools that have installed it keep it; publish a higher version to replace it.\n`,
  )
}
