import type { Scope } from './token.js'

/** The requester of releases: anonymous when undefined, or an organization by its token. */
export interface ReleaseRequester {
  readonly organizationId: string
  readonly organization: string
  readonly tokenId: string
  readonly scopes: readonly Scope[]
}

/** A package of rules as it is announced. The names are those of the API. */
export interface AnnouncedPackage {
  readonly version: string
  readonly file: string
  readonly size: number
  readonly sha256: string
  readonly url: string
  readonly sha256_url: string
  readonly sig_url: string
  readonly notes: string
}

export interface AnnouncedTool {
  readonly version: string
  readonly files: readonly {
    readonly platform: string
    readonly size: number
    readonly sha256: string
    readonly url: string
    readonly sig_url: string
  }[]
  readonly notes: string
}

/** The newest release of each kind; absent when there is none. */
export interface Latest {
  readonly rules?: AnnouncedPackage
  readonly tool?: AnnouncedTool
  readonly private?: AnnouncedPackage
}

export interface PastPackage extends AnnouncedPackage {
  readonly channel: 'public' | 'private'
  readonly published_at: string
}

export interface History {
  readonly releases: readonly PastPackage[]
  /** The address of older ones; absent at the end. */
  readonly next?: string
}

export interface AnnouncedKey {
  readonly id: string
  readonly pem: string
  readonly fingerprint: string
}

/** A file that can be downloaded: small ones are in memory, large ones are read in pieces. */
export interface ServedFile {
  readonly name: string
  readonly size: number
  /** Changes with the bytes, and only with them. */
  readonly tag: string
  readonly isPrivate: boolean
  /** The bytes from `start` up to, and excluding, `end`. Rejects when the file is withdrawn meanwhile. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

export interface Upload {
  readonly name: string
  readonly signature: Uint8Array
  readonly body: AsyncIterable<Uint8Array>
  /** Who sends it, for the audit record. */
  readonly detail: Readonly<Record<string, string>>
}

export interface PublishedPackage {
  readonly outcome: 'published' | 'unchanged'
  readonly announced: AnnouncedPackage
}

/** The releases as the HTTP API offers them. Rejected requests throw a `Problem`. */
export interface Releases {
  /** The owner of a token. Rejects when it is unknown, revoked or expired. */
  identify(token: string): Promise<ReleaseRequester>
  latest(requester: ReleaseRequester | undefined): Promise<Latest>
  history(
    requester: ReleaseRequester | undefined,
    page: { readonly before: string | undefined; readonly limit: number },
  ): Promise<History>
  keys(requester: ReleaseRequester | undefined): Promise<{ readonly keys: readonly AnnouncedKey[] }>
  /** A file, its `.sha256` or its `.sig`; undefined when there is none for this requester. */
  find(kind: 'rules' | 'tool', name: string, requester: ReleaseRequester | undefined): Promise<ServedFile | undefined>
  /** Publishes a private package of the requester's organization. */
  publish(requester: ReleaseRequester, upload: Upload): Promise<PublishedPackage>
}
