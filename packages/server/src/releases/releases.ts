import type { Scope } from './token.js'

/** Who looks: nobody in particular, or the bearer of a token of an organization. */
export interface Viewer {
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

/** The newest of each kind; what does not exist is absent. */
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
  /** Where older ones are; absent at the end. */
  readonly next?: string
}

export interface AnnouncedKey {
  readonly id: string
  readonly pem: string
  readonly fingerprint: string
}

/** A file that can be downloaded: small ones are there, large ones are read piece by piece. */
export interface ServedFile {
  readonly name: string
  readonly size: number
  /** Changes with the bytes, and only with them. */
  readonly tag: string
  readonly isPrivate: boolean
  /** The bytes from `start` up to, and without, `end`. Rejects when they are withdrawn meanwhile. */
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

/** What the HTTP side offers of releases. What is refused rejects with a `Problem`. */
export interface Releases {
  /** Whose token this is. Rejects when it is unknown, revoked or expired. */
  identify(token: string): Promise<Viewer>
  latest(viewer: Viewer | undefined): Promise<Latest>
  history(
    viewer: Viewer | undefined,
    page: { readonly before: string | undefined; readonly limit: number },
  ): Promise<History>
  keys(viewer: Viewer | undefined): Promise<{ readonly keys: readonly AnnouncedKey[] }>
  /** A file, its `.sha256` or its `.sig`; undefined when there is none for this viewer. */
  find(kind: 'rules' | 'tool', name: string, viewer: Viewer | undefined): Promise<ServedFile | undefined>
  /** Publishes a private package of the viewer's organization. */
  publish(viewer: Viewer, upload: Upload): Promise<PublishedPackage>
}
