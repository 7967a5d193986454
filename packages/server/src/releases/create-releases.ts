import { hash } from 'node:crypto'
import { Problem } from '../problem.js'
import { findCurrentReleaseKeys } from '../store/releases/release-keys.js'
import { findNewestRelease, findReleaseFile, pageReleases, type StoredFile } from '../store/releases/releases.js'
import { announcePackage, announcePast, announceTool } from './announce.js'
import { examinePackage } from './examine.js'
import { badPackageName, checksumLine, readPackageName, readToolName, splitCompanion } from './file-names.js'
import { identify } from './identify.js'
import { LARGEST_PACKAGE, type ReleaseParts } from './parts.js'
import { publish } from './publish.js'
import { readPublicKey } from './release-key.js'
import type { Latest, PublishedPackage, Releases, ServedFile, Upload, Viewer } from './releases.js'
import { discardUpload, readRange, storeBytes } from './uploads.js'

export interface PublicParts extends ReleaseParts {
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
export function createReleases(parts: PublicParts): Releases {
  const { database, clock, urls } = parts
  return {
    identify: (token) => identify(database, clock, token),
    latest: (viewer) => latest(parts, viewer),
    history: async (viewer, { before, limit }) => {
      const channel = { kind: 'rules', organizationId: readerOf(viewer) } as const
      // One more than is shown tells whether there is more.
      const found = await pageReleases(database, channel, { before, limit: limit + 1 })
      const shown = found.slice(0, limit)
      const next = `${urls.baseUrl}/v1/rules?limit=${limit}&before=${shown.at(-1)?.number}`
      return {
        releases: shown.map((release) => announcePast(release, urls.baseUrl)),
        ...(found.length > limit && { next }),
      }
    },
    keys: async (viewer) => {
      const keys = await findCurrentReleaseKeys(database, readerOf(viewer))
      return {
        keys: keys
          .flatMap(({ pem }) => readPublicKey(pem) ?? [])
          .map(({ id, pem, fingerprint }) => ({ id, pem, fingerprint })),
      }
    },
    find: (kind, name, viewer) => find(parts, kind, name, viewer),
    publish: (viewer, upload) => publishPrivate(parts, viewer, upload),
  }
}

/** The organization whose packages a viewer may see. */
function readerOf(viewer: Viewer | undefined): string | undefined {
  return viewer?.scopes.includes('rules:read') ? viewer.organizationId : undefined
}

async function latest({ database, urls: { baseUrl } }: PublicParts, viewer: Viewer | undefined): Promise<Latest> {
  const reader = readerOf(viewer)
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
  { database }: PublicParts,
  kind: 'rules' | 'tool',
  asked: string,
  viewer: Viewer | undefined,
): Promise<ServedFile | undefined> {
  const { file: name, companion } = splitCompanion(asked)
  const isPrivate = kind === 'rules' && readPackageName(name)?.channel === 'private'
  if (!isPrivate && (kind === 'rules' ? readPackageName(name) : readToolName(name)) === undefined) return undefined
  const reader = readerOf(viewer)
  if (isPrivate && reader === undefined) return undefined
  const file = await findReleaseFile(database, { kind, organizationId: isPrivate ? reader : undefined }, name)
  if (file === undefined) return undefined
  if (companion === '.sha256') return small(asked, Buffer.from(checksumLine(name, file.sha256)), isPrivate)
  if (companion === '.sig') return small(asked, file.signature, isPrivate)
  return large(database, file, isPrivate)
}

function large(
  database: PublicParts['database'],
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

/** What an organization publishes by itself: a private package, checked as the operator's command checks one. */
async function publishPrivate(parts: PublicParts, viewer: Viewer, upload: Upload): Promise<PublishedPackage> {
  if (!viewer.scopes.includes('rules:publish')) {
    throw new Problem(
      'missing_scope',
      'This token may read packages, and not publish them. Ask your administrator or the operator for one with the scope rules:publish.',
    )
  }
  if (readPackageName(upload.name)?.channel !== 'private') throw badPackageName(upload.name, 'private')
  const stored = await storeBytes(parts, upload.body, LARGEST_PACKAGE)
  try {
    const uploaded = { upload: stored.upload, name: upload.name, signature: upload.signature }
    const { file, version, notes } = await examinePackage(parts, uploaded, viewer.organizationId)
    const { outcome, release } = await publish(parts, {
      kind: 'rules',
      organization: { id: viewer.organizationId, name: viewer.organization },
      version,
      files: [file],
      notes: notes === '' ? undefined : notes,
      backport: false,
      actor: `token ${viewer.tokenId}`,
      detail: upload.detail,
    })
    return { outcome, announced: announcePackage(release, parts.urls.baseUrl) }
  } finally {
    await discardUpload(parts.database, stored.upload)
  }
}
