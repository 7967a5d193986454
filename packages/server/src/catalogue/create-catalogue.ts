import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { readRange, Withdrawn } from '../releases/uploads.js'
import type { Queries } from '../store/database.js'
import { findNewestRelease } from '../store/releases/releases.js'
import type { Catalogue, Origin, PreparedResponse } from './catalogue.js'
import { keepRecent } from './keep-recent.js'
import type { PreparedPackage, PreparePackage } from './prepare-package.js'

export interface CatalogueDeps {
  readonly database: Queries
  readonly prepare: PreparePackage
  /** The bundled rules, as a package. */
  readonly readBundled: () => Promise<Uint8Array>
}

/** The newest package. Its key changes with its bytes and its origin. */
interface Found {
  readonly key: string
  readonly origin: Origin
  readonly read: () => Promise<Uint8Array>
}

/** The community's package needs less than 1 MiB; the rest is for private packages. */
const MOST_KEPT = 24 * 1024 * 1024

const compress = promisify(brotliCompress)
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/**
 * The rules of the newest packages, ready to be sent. A package is read once, at the first request.
 *
 * @example
 * const catalogue = createCatalogue({ database, prepare: createPreparer(), readBundled: readBundledRules })
 * await catalogue.find('CRE-2026-10001', undefined)
 */
export function createCatalogue({ database, prepare, readBundled }: CatalogueDeps): Catalogue {
  const packages = keepRecent<PreparedPackage>({ most: MOST_KEPT, sizeOf: sizeOfPackage })
  const lists = keepRecent<PreparedResponse>({ most: MOST_KEPT / 4, sizeOf: ({ brotli }) => brotli.length })

  const prepared = ({ key, origin, read }: Found) =>
    packages.get(key, async () => prepare({ bytes: await read(), origin }))

  /** The organization's own package comes first. */
  const newest = async (organizationId: string | undefined): Promise<Found[]> => {
    const [own, community] = await Promise.all([
      organizationId === undefined ? undefined : findPackage(database, organizationId),
      findPackage(database, undefined),
    ])
    return [...(own ? [own] : []), community ?? { key: 'bundled', origin: 'community', read: readBundled }]
  }

  const list = (found: readonly Found[]): Promise<PreparedResponse> =>
    lists.get(found.map(({ key }) => key).join(' '), async () => {
      const json = Buffer.from(listOf(await Promise.all(found.map(prepared))))
      return { tag: tagOf(json), brotli: await compress(json, COMPRESSION) }
    })
  const find = async (id: string, packages: readonly Found[]): Promise<PreparedResponse | undefined> => {
    for (const found of packages) {
      const brotli = (await prepared(found)).rules.get(id)
      if (brotli !== undefined) return { tag: tagOf(brotli), brotli }
    }
    return undefined
  }
  return {
    list: (organizationId) => whileWithdrawn(async () => list(await newest(organizationId))),
    find: (id, organizationId) => whileWithdrawn(async () => find(id, await newest(organizationId))),
  }
}

/** More withdrawals than this do not happen during one request. */
const TRIES = 5

/** A release that is withdrawn after it was found and before it was read is not the newest any more: the search is repeated. */
async function whileWithdrawn<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Withdrawn) || tries === TRIES) throw error
    }
  }
}

async function findPackage(database: Queries, organizationId: string | undefined): Promise<Found | undefined> {
  const release = await findNewestRelease(database, { kind: 'rules', organizationId })
  const [file] = release?.files ?? []
  if (file?.blobId === undefined) return undefined
  const { blobId, sha256, size } = file
  const origin = organizationId === undefined ? 'community' : 'private'
  const read = async () => {
    const pieces: Uint8Array[] = []
    for await (const piece of readRange(database, blobId, 0, size)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  return { key: `${origin} ${sha256}`, origin, read }
}

/** The list of several packages, as JSON. Of two rules with one id, the organization's own wins. */
function listOf(packages: readonly PreparedPackage[]): string {
  const rules = new Map(packages.toReversed().flatMap(({ listed }) => [...listed]))
  const own = packages.find(({ origin }) => origin === 'private')
  const head = {
    version: packages.find(({ origin }) => origin === 'community')?.version ?? '',
    ...(own && { private_version: own.version }),
  }
  return `${JSON.stringify(head).slice(0, -1)},"rules":[${[...rules.values()].join(',')}]}`
}

function tagOf(bytes: Uint8Array): string {
  return `W/"${hash('sha256', bytes, 'base64url')}"`
}

function sizeOfPackage({ listed, rules }: PreparedPackage): number {
  let size = 0
  for (const [id, json] of listed) size += id.length + json.length
  for (const bytes of rules.values()) size += bytes.length
  return size
}
