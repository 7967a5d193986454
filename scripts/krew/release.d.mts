export function readExecutableName(name: string): {
  readonly version: string
  readonly os: string
  readonly arch: string
}

interface NamedBytes {
  readonly name: string
  readonly bytes: Buffer
}

export function makeRelease(release: {
  readonly template: string
  readonly url: string
  readonly homepage: string
  readonly executables: readonly NamedBytes[]
  readonly licenses: readonly NamedBytes[]
}): { readonly archives: readonly NamedBytes[]; readonly manifest: string }
