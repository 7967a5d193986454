import { nameIn } from '../organizations/fields.js'
import { Problem } from '../problem.js'
import { createCompiler } from '../releases/compile-in-thread.js'
import type { CompilePackage } from '../releases/compile-package.js'
import { onOneLine } from '../releases/compile-package.js'
import { type ExaminedFile, examinePackage, examineTool } from '../releases/examine.js'
import { type Published, publish, withdraw } from '../releases/publish.js'
import type { ReleaseDeps } from '../releases/uploads.js'
import { addChunk, beginUpload, discardUpload } from '../releases/uploads.js'
import { findOrganization } from '../store/organizations/organizations.js'
import type { StoredRelease } from '../store/releases/releases.js'
import { listReleases } from '../store/releases/releases.js'
import { addReleaseKey, listKeys, retireReleaseKey } from './manage-release-keys.js'
import { issueToken, listTokens, revokeToken } from './manage-tokens.js'
import { OPERATOR, type OperationsDeps, unknownOrganization } from './operations.js'
import type {
  PublishedRecord,
  PublishRulesRequest,
  PublishToolRequest,
  ReleaseOperations,
  ReleaseRecord,
} from './release-operations.js'

const UPLOAD = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The operator's commands for releases. */
export function createReleaseOperations(deps: OperationsDeps): ReleaseOperations {
  const { database, clock } = deps
  const releases: ReleaseDeps = { database, clock, compile: deps.compile ?? lazily(createCompiler) }
  return {
    beginUpload: async () => ({ upload: await beginUpload(releases) }),
    addChunk: async ({ upload, number, bytes }) => {
      await addChunk(database, checkUpload(upload), number, Buffer.from(bytes, 'base64'))
      return null
    },
    publishRules: (request) => publishRules(releases, request),
    publishTool: (request) => publishTool(releases, request),
    listReleases: async ({ kind }) => (await listReleases(database, kind)).map(releaseRecordOf),
    withdrawRelease: async ({ kind, version, org }) => {
      const organization = await organizationOf(releases, org)
      return releaseRecordOf(await withdraw(releases, { kind, organization, version, actor: OPERATOR }))
    },
    addReleaseKey: (request) => addReleaseKey(deps, request),
    listReleaseKeys: () => listKeys(deps),
    retireReleaseKey: (id) => retireReleaseKey(deps, id),
    issueToken: (request) => issueToken(deps, request),
    listTokens: () => listTokens(deps),
    revokeToken: (token) => revokeToken(deps, token),
  }
}

/** Most commands compile nothing. */
function lazily(make: () => CompilePackage): CompilePackage {
  let compile: CompilePackage | undefined
  return (name, bytes) => {
    compile ??= make()
    return compile(name, bytes)
  }
}

async function publishRules(deps: ReleaseDeps, request: PublishRulesRequest): Promise<PublishedRecord> {
  const upload = checkUpload(request.upload)
  try {
    const organization = await organizationOf(deps, request.org)
    const signature = Buffer.from(request.signature, 'base64')
    const examined = await examinePackage(deps, { upload, name: request.name, signature }, organization?.id)
    const published = await publish(deps, {
      kind: 'rules',
      organization,
      version: examined.version,
      files: [examined.file],
      notes: notesOf(request.notes) ?? (examined.notes === '' ? undefined : examined.notes),
      backport: request.backport === true,
      actor: OPERATOR,
    })
    return publishedRecordOf(published)
  } finally {
    await discardUpload(deps.database, upload)
  }
}

async function publishTool(
  deps: ReleaseDeps,
  { files, notes, backport }: PublishToolRequest,
): Promise<PublishedRecord> {
  const uploads = files.map(({ upload }) => checkUpload(upload))
  try {
    const examined: ExaminedFile[] = []
    const versions = new Set<string>()
    for (const { upload, name, signature } of files) {
      const { file, version } = await examineTool(deps, { upload, name, signature: Buffer.from(signature, 'base64') })
      examined.push(file)
      versions.add(version)
    }
    const [version, ...others] = versions
    if (
      version === undefined ||
      others.length > 0 ||
      new Set(examined.map(({ name }) => name)).size < examined.length
    ) {
      throw new Problem('invalid_request', 'Publish the files of one version together, each of them once.')
    }
    const published = await publish(deps, {
      kind: 'tool',
      organization: undefined,
      version,
      files: examined,
      notes: notesOf(notes),
      backport: backport === true,
      actor: OPERATOR,
    })
    return publishedRecordOf(published)
  } finally {
    for (const upload of uploads) await discardUpload(deps.database, upload)
  }
}

function checkUpload(upload: string): string {
  if (UPLOAD.test(upload)) return upload
  throw new Problem('invalid_request', 'This is not the id of an upload.')
}

function notesOf(notes: string | undefined): string | undefined {
  return notes === undefined ? undefined : onOneLine(notes)
}

async function organizationOf(
  { database }: ReleaseDeps,
  name: string | undefined,
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  if (name === undefined) return undefined
  const found = await findOrganization(database, nameIn(name) ?? '')
  if (!found) throw unknownOrganization(name)
  return { id: found.id, name: found.name }
}

function publishedRecordOf({ outcome, release }: Published): PublishedRecord {
  return { ...releaseRecordOf(release), outcome }
}

function releaseRecordOf(release: StoredRelease): ReleaseRecord {
  return {
    kind: release.kind,
    version: release.version,
    ...(release.organization !== undefined && { org: release.organization }),
    state: release.withdrawnAt ? 'withdrawn' : 'published',
    publishedAt: release.publishedAt.toISOString(),
    notes: release.notes,
    files: release.files.map(({ name, size, sha256, keyId }) => ({ name, size, sha256, key: keyId })),
  }
}
