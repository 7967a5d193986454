import { Problem } from '../../problem.js'
import type { Operations } from '../operations.js'
import type { ReleaseKind, ReleaseOperations, UploadedFile } from '../release-operations.js'

type Call = (operations: Operations, argument: unknown) => Promise<unknown>

/** The socket's operations for releases, each with the check of its argument. */
export const RELEASE_CALLS: { readonly [Name in keyof ReleaseOperations]: Call } = {
  beginUpload: (operations) => operations.beginUpload(),
  addChunk: (operations, argument) => {
    const { text, number } = fieldsOf(argument)
    return operations.addChunk({ upload: text('upload'), number: number('number'), bytes: text('bytes') })
  },
  publishRules: (operations, argument) =>
    operations.publishRules({ ...uploadedFile(argument), ...optional(argument, ['org']), ...wishes(argument) }),
  publishTool: (operations, argument) =>
    operations.publishTool({ files: fieldsOf(argument).list('files').map(uploadedFile), ...wishes(argument) }),
  listReleases: (operations, argument) => operations.listReleases({ kind: kindIn(argument) }),
  withdrawRelease: (operations, argument) =>
    operations.withdrawRelease({
      kind: kindIn(argument),
      version: fieldsOf(argument).text('version'),
      ...optional(argument, ['org']),
    }),
  addReleaseKey: (operations, argument) =>
    operations.addReleaseKey({ pem: fieldsOf(argument).text('pem'), ...optional(argument, ['org']) }),
  listReleaseKeys: (operations) => operations.listReleaseKeys(),
  retireReleaseKey: (operations, argument) => operations.retireReleaseKey(textIn(argument)),
  issueToken: (operations, argument) => {
    const { text } = fieldsOf(argument)
    return operations.issueToken({
      org: text('org'),
      name: text('name'),
      ...optional(argument, ['scope', 'expires']),
    })
  },
  listTokens: (operations) => operations.listTokens(),
  revokeToken: (operations, argument) => operations.revokeToken(textIn(argument)),
}

/** The operations that change nothing. */
export const RELEASE_READING_CALLS = ['listReleases', 'listReleaseKeys', 'listTokens'] as const

function uploadedFile(argument: unknown): UploadedFile {
  const { text } = fieldsOf(argument)
  return { upload: text('upload'), name: text('name'), signature: text('signature') }
}

function wishes(argument: unknown): { readonly notes?: string; readonly backport?: boolean } {
  const backport = fieldsOf(argument).value('backport')
  if (backport !== undefined && typeof backport !== 'boolean') throw wrongArgument()
  return { ...optional(argument, ['notes']), ...(backport !== undefined && { backport }) }
}

function kindIn(argument: unknown): ReleaseKind {
  const kind = fieldsOf(argument).text('kind')
  if (kind === 'rules' || kind === 'tool') return kind
  throw wrongArgument()
}

function textIn(argument: unknown): string {
  if (typeof argument === 'string') return argument
  throw wrongArgument()
}

function optional<Name extends string>(argument: unknown, names: readonly Name[]): { readonly [N in Name]?: string } {
  const { value } = fieldsOf(argument)
  const given = names.filter((name) => value(name) !== undefined).map((name) => [name, textIn(value(name))])
  return Object.fromEntries(given)
}

function fieldsOf(argument: unknown) {
  if (typeof argument !== 'object' || argument === null) throw wrongArgument()
  const fields = new Map<string, unknown>(Object.entries(argument))
  return {
    value: (name: string) => fields.get(name),
    text: (name: string) => textIn(fields.get(name)),
    number: (name: string) => {
      const value = fields.get(name)
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
      throw wrongArgument()
    },
    list: (name: string): readonly unknown[] => {
      const value = fields.get(name)
      if (Array.isArray(value)) return value
      throw wrongArgument()
    },
  }
}

function wrongArgument(): Problem {
  return new Problem(
    'invalid_request',
    'The admin socket does not understand this request. Use the same version of omen-server.',
  )
}
