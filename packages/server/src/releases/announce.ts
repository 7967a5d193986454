import type { StoredFile, StoredRelease } from '../store/releases/releases.js'
import type { AnnouncedPackage, AnnouncedTool, PastPackage } from './releases.js'

/** Where a file is downloaded. */
const addressOf = (baseUrl: string, kind: 'rules' | 'tool', { name }: StoredFile) =>
  `${baseUrl}/v1/${kind}/${encodeURIComponent(name)}`

/** A package of rules as the tool reads about it. */
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

/** The same with what matters when one looks back. */
export function announcePast(release: StoredRelease, baseUrl: string): PastPackage {
  return {
    ...announcePackage(release, baseUrl),
    channel: release.organizationId === undefined ? 'public' : 'private',
    published_at: release.publishedAt.toISOString(),
  }
}

/** The tool for every platform that it was published for. */
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
