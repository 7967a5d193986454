import { hash } from 'node:crypto'
import { Problem } from '../problem.js'
import { findCurrentReleaseKeys } from '../store/releases/release-keys.js'
import {
  findNewestRelease,
  findReleaseFile,
  pageReleases,
  type StoredFile,
  type StoredRelease,
} from '../store/releases/releases.js'
import { examinePackage } from './examine.js'
import { badPackageName, checksumLine, readPackageName, readToolName, splitCompanion } from './file-names.js'
import { publish } from './publish.js'
import { readPublicKey } from './release-key.js'
import type {
  AnnouncedPackage,
  AnnouncedTool,
  Latest,
  PastPackage,
  PublishedPackage,
  ReleaseRequester,
  Releases,
  ServedFile,
  Upload,
} from './releases.js'
import { identify } from './token.js'
import { discardUpload, LARGEST_PACKAGE, type ReleaseDeps, readRange, storeBytes } from './uploads.js'

export interface PublicReleaseDeps extends ReleaseDeps {
  readonly urls: {
    /** Without a slash at the end. */
    readonly baseUrl: string
  }
}

/**
 * What can be had of releases on a database that `prepareDatabase` has prepared.
 *
 * @example
 * const releases = createReleases({ database, clock: () => new Date(), compile: createCompiler(), urls: settings })
 * await releases.latest(undefined) // {}
 */
export function createReleases(deps: PublicReleaseDeps): Releases {
  const { database, clock, urls } = deps
  return {
    identify: (token) => identify(database, clock, token),
    latest: (requester) => latest(deps, requester),
    history: async (requester, { before, limit }) => {
      const channel = { kind: 'rules', organizationId: readerOf(requester) } as const
      // One more than is shown, to know whether there is another page.
      const found = await pageReleases(database, channel, { before, limit: limit + 1 })
      const shown = found.slice(0, limit)
      const next = `${urls.baseUrl}/v1/rules?limit=${limit}&before=${shown.at(-1)?.number}`
      return {
        releases: shown.map((release) => announcePast(release, urls.baseUrl)),
        ...(found.length > limit && { next }),
      }
    },
    keys: async (requester) => {
      const keys = await findCurrentReleaseKeys(database, readerOf(requester))
      return {
        keys: keys
          .flatMap(({ pem }) => readPublicKey(pem) ?? [])
          .map(({ id, pem, fingerprint }) => ({ id, pem, fingerprint })),
      }
    },
    find: (kind, name, requester) => find(deps, kind, name, requester),
    publish: (requester, upload) => publishPrivate(deps, requester, upload),
  }
}

/** The organization whose packages a requester may read. */
function readerOf(requester: ReleaseRequester | undefined): string | undefined {
  return requester?.scopes.includes('rules:read') ? requester.organizationId : undefined
}

async function latest(
  { database, urls: { baseUrl } }: PublicReleaseDeps,
  requester: ReleaseRequester | undefined,
): Promise<Latest> {
  const reader = readerOf(requester)
  const [rules, tool, own] = await Promise.all([
    findNewestRelease(database, { kind: 'rules', organizationId: undefined }),
    findNewestRelease(database, { kind: 'tool', organizationId: undefined }),
    reader === undefined ? undefined : findNewestRelease(database, { kind: 'rules', organizationId: reader }),
  ])
  return {
    ...(rules && { rules: announcePackage(rules, baseUrl) }),
    ...(tool && { tool: announceTool(tool, baseUrl) }),
    ...(own && { private: announcePackage(own, baseUrl) }),
  }
}

async function find(
  { database }: PublicReleaseDeps,
  kind: 'rules' | 'tool',
  asked: string,
  requester: ReleaseRequester | undefined,
): Promise<ServedFile | undefined> {
  const { file: name, companion } = splitCompanion(asked)
  const isPrivate = kind === 'rules' && readPackageName(name)?.channel === 'private'
  if (!isPrivate && (kind === 'rules' ? readPackageName(name) : readToolName(name)) === undefined) return undefined
  const reader = readerOf(requester)
  if (isPrivate && reader === undefined) return undefined
  const file = await findReleaseFile(database, { kind, organizationId: isPrivate ? reader : undefined }, name)
  if (file === undefined) return undefined
  if (companion === '.sha256') return small(asked, Buffer.from(checksumLine(name, file.sha256)), isPrivate)
  if (companion === '.sig') return small(asked, file.signature, isPrivate)
  return large(database, file, isPrivate)
}

function large(
  database: PublicReleaseDeps['database'],
  { name, size, sha256, blobId }: StoredFile & { readonly blobId: string },
  isPrivate: boolean,
): ServedFile {
  return { name, size, tag: sha256, isPrivate, read: (start, end) => readRange(database, blobId, start, end) }
}

function small(name: string, bytes: Buffer, isPrivate: boolean): ServedFile {
  async function* read(start: number, end: number): AsyncGenerator<Uint8Array> {
    yield bytes.subarray(start, end)
  }
  return { name, size: bytes.length, tag: hash('sha256', bytes, 'hex'), isPrivate, read }
}

/** Publishes a private package for an organization, with the same checks as the operator's command. */
async function publishPrivate(
  deps: PublicReleaseDeps,
  requester: ReleaseRequester,
  upload: Upload,
): Promise<PublishedPackage> {
  if (!requester.scopes.includes('rules:publish')) {
    throw new Problem(
      'missing_scope',
      'This token can read packages but not publish them. Ask your administrator or the operator for a token with the scope rules:publish.',
    )
  }
  if (readPackageName(upload.name)?.channel !== 'private') throw badPackageName(upload.name, 'private')
  const stored = await storeBytes(deps, upload.body, LARGEST_PACKAGE)
  try {
    const uploaded = { upload: stored.upload, name: upload.name, signature: upload.signature }
    const { file, version, notes } = await examinePackage(deps, uploaded, requester.organizationId)
    const { outcome, release } = await publish(deps, {
      kind: 'rules',
      organization: { id: requester.organizationId, name: requester.organization },
      version,
      files: [file],
      notes: notes === '' ? undefined : notes,
      backport: false,
      actor: `token ${requester.tokenId}`,
      detail: upload.detail,
    })
    return { outcome, announced: announcePackage(release, deps.urls.baseUrl) }
  } finally {
    await discardUpload(deps.database, stored.upload)
  }
}

/** The address of a file. */
const addressOf = (baseUrl: string, kind: 'rules' | 'tool', { name }: StoredFile) =>
  `${baseUrl}/v1/${kind}/${encodeURIComponent(name)}`

/** The announcement of a package of rules. */
export function announcePackage({ version, notes, files }: StoredRelease, baseUrl: string): AnnouncedPackage {
  const file = files[0]!
  const url = addressOf(baseUrl, 'rules', file)
  return {
    version,
    file: file.name,
    size: file.size,
    sha256: file.sha256,
    url,
    sha256_url: `${url}.sha256`,
    sig_url: `${url}.sig`,
    notes,
  }
}

/** The announcement of a package in the history. */
export function announcePast(release: StoredRelease, baseUrl: string): PastPackage {
  return {
    ...announcePackage(release, baseUrl),
    channel: release.organizationId === undefined ? 'public' : 'private',
    published_at: release.publishedAt.toISOString(),
  }
}

/** The announcement of the tool, for all its platforms. */
export function announceTool({ version, notes, files }: StoredRelease, baseUrl: string): AnnouncedTool {
  const offered = files.filter(({ blobId }) => blobId !== undefined)
  return {
    version,
    files: offered.map((file) => {
      const url = addressOf(baseUrl, 'tool', file)
      return { platform: file.platform!, size: file.size, sha256: file.sha256, url, sig_url: `${url}.sig` }
    }),
    notes,
  }
}
