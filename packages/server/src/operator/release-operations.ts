/** What the operator's commands do with releases: keys, packages, executables, tokens. */
export interface ReleaseOperations {
  /** Starts an upload: a file comes in pieces, and is not visible before it is published. */
  beginUpload(): Promise<{ readonly upload: string }>
  /** Adds a piece, in base64. All but the last have 256 KiB. */
  addChunk(request: { readonly upload: string; readonly number: number; readonly bytes: string }): Promise<null>
  publishRules(request: PublishRulesRequest): Promise<PublishedRecord>
  publishTool(request: PublishToolRequest): Promise<PublishedRecord>
  listReleases(request: { readonly kind: ReleaseKind }): Promise<readonly ReleaseRecord[]>
  withdrawRelease(request: {
    readonly kind: ReleaseKind
    readonly version: string
    readonly org?: string
  }): Promise<ReleaseRecord>
  /** Registers the public part of a key, for the operator's releases or for the packages of one organization. */
  addReleaseKey(request: { readonly pem: string; readonly org?: string }): Promise<ReleaseKeyRecord>
  listReleaseKeys(): Promise<readonly ReleaseKeyRecord[]>
  retireReleaseKey(id: string): Promise<RetiredKeyRecord>
  issueToken(request: IssueTokenRequest): Promise<IssuedToken>
  listTokens(): Promise<readonly TokenRecord[]>
  /** Takes the token itself or its id. */
  revokeToken(token: string): Promise<TokenRecord>
}

export type ReleaseKind = 'rules' | 'tool'

export interface UploadedFile {
  readonly upload: string
  readonly name: string
  /** In base64. */
  readonly signature: string
}

export interface PublishRulesRequest extends UploadedFile {
  readonly org?: string
  readonly notes?: string
  readonly backport?: boolean
}

export interface PublishToolRequest {
  readonly files: readonly UploadedFile[]
  readonly notes?: string
  readonly backport?: boolean
}

export interface ReleaseRecord {
  readonly kind: ReleaseKind
  readonly version: string
  readonly org?: string
  readonly state: 'published' | 'withdrawn'
  readonly publishedAt: string
  readonly notes: string
  readonly files: readonly {
    readonly name: string
    readonly size: number
    readonly sha256: string
    readonly key: string
  }[]
}

export interface PublishedRecord extends ReleaseRecord {
  /** Whether anything was changed. */
  readonly outcome: 'published' | 'unchanged'
}

export interface ReleaseKeyRecord {
  readonly id: string
  readonly fingerprint: string
  readonly org?: string
  readonly state: 'current' | 'retired'
  readonly addedAt: string
}

export interface RetiredKeyRecord extends ReleaseKeyRecord {
  /** Files that are still offered with its signature. */
  readonly files: number
}

export interface IssueTokenRequest {
  readonly org: string
  readonly name: string
  /** Separated by commas. */
  readonly scope?: string
  readonly expires?: string
}

export interface TokenRecord {
  readonly id: string
  readonly org: string
  readonly name: string
  readonly scopes: readonly string[]
  /** `YYYY-MM-DD`, UTC: it works until that day begins. */
  readonly expires?: string
  readonly state: 'active' | 'expired' | 'revoked'
  readonly issuedAt: string
}

export interface IssuedToken extends TokenRecord {
  readonly token: string
}
