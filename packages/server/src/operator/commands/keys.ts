import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../failure.js'
import { makeReleaseKeyPair } from '../../releases/release-key.js'
import { readableMoment } from '../moments.js'
import { readCompanion, writeWhole } from '../release-files.js'
import type { ReleaseKeyRecord } from '../release-operations.js'
import { formatTable, onOneLine } from '../table.js'
import { type CommandContext, print } from './context.js'

/** `omen-server keys rotate`: a new encryption key, and every secret encrypted with it. */
export async function rotateKeys(context: CommandContext): Promise<void> {
  const rotated = await context.reach.run((operations) => operations.rotateKeys())
  print(context, rotated, ({ keyId, reencrypted }) => {
    const secrets = reencrypted === 1 ? '1 secret was' : `${reencrypted} secrets were`
    return `The encryption key is now ${keyId}. ${secrets} encrypted with it.\n`
  })
}

/** `omen-server keys rotate-signing`: a new key that signs tokens. */
export async function rotateSigningKey(context: CommandContext, endTokens: boolean): Promise<void> {
  const rotated = await context.reach.run((operations) => operations.rotateSigningKey({ endTokens }))
  print(context, rotated, ({ keyId }) => {
    const older = endTokens
      ? 'Tokens that were issued before no longer work: administrators exchange their code again.'
      : 'Tokens that were issued before work until they expire.'
    return `The signing key is now ${keyId}. ${older}\n`
  })
}

export interface KeyOptions {
  readonly out?: string
  readonly add?: string
  readonly org?: string
  readonly list?: boolean
  readonly retire?: string
}

/** `omen-server keys release`: makes a pair, or does what its flags say. */
export async function manageReleaseKeys(context: CommandContext, options: KeyOptions): Promise<void> {
  const { out, add, org, list, retire } = options
  const wishes = { '--out': out, '--add': add, '--list': list, '--retire': retire }
  const given = Object.entries(wishes).filter(([, value]) => value !== undefined)
  if (given.length > 1)
    throw new Failure('Usage', `${given.map(([flag]) => flag).join(' and ')}: use one of these flags at a time`)
  if (org !== undefined && (list || retire !== undefined)) {
    throw new Failure('Usage', '--org can be combined with --add, or with making a new pair')
  }
  if (list) return listKeys(context)
  if (retire !== undefined) return retireKey(context, retire)
  return add === undefined ? makeKey(context, out ?? '.', org) : addKey(context, add, org)
}

async function makeKey(context: CommandContext, folder: string, org: string | undefined): Promise<void> {
  const { privatePem, publicKey } = makeReleaseKeyPair()
  const privateFile = join(folder, `omen-release-${publicKey.id}.pem`)
  const publicFile = join(folder, `omen-release-${publicKey.id}.pub.pem`)
  await writeWhole(privateFile, privatePem, 0o600)
  await writeWhole(publicFile, publicKey.pem)
  try {
    const added = await register(context, publicKey.pem, org)
    print(context, { ...added, privateKey: privateFile, publicKey: publicFile }, () => {
      const fate = 'Keep the private key safe, and off this server: anybody who has it can sign releases.'
      return `Made and registered the release key ${added.id}\n  ${added.fingerprint}\n  ${onOneLine(privateFile)}\n  ${onOneLine(publicFile)}\n${fate}\n`
    })
  } catch (error) {
    // A key that is not registered is useless.
    await Promise.all([rm(privateFile, { force: true }), rm(publicFile, { force: true })])
    throw error
  }
}

async function addKey(context: CommandContext, path: string, org: string | undefined): Promise<void> {
  const added = await register(context, (await readCompanion(path)).toString('utf8'), org)
  const scope = org === undefined ? '' : ` for the packages of ${onOneLine(org)}`
  print(context, added, ({ id, fingerprint }) => `Registered the release key ${id}${scope}\n  ${fingerprint}\n`)
}

function register(context: CommandContext, pem: string, org: string | undefined): Promise<ReleaseKeyRecord> {
  const request = { pem, ...(org !== undefined && { org }) }
  return context.reach.run((operations) => operations.addReleaseKey(request))
}

async function listKeys(context: CommandContext): Promise<void> {
  const keys = await context.reach.run((operations) => operations.listReleaseKeys())
  print(context, keys, () => {
    if (keys.length === 0) return 'No release keys yet. To make one: omen-server keys release\n'
    const rows = keys.map(({ id, org, state, addedAt, fingerprint }) => [
      id,
      org ?? 'all releases',
      state,
      readableMoment(addedAt),
      fingerprint,
    ])
    return formatTable(['ID', 'SIGNS FOR', 'STATE', 'ADDED (UTC)', 'FINGERPRINT'], rows)
  })
}

async function retireKey(context: CommandContext, id: string): Promise<void> {
  const retired = await context.reach.run((operations) => operations.retireReleaseKey(id))
  print(context, retired, ({ files }) => {
    const left = files === 1 ? '1 file is' : `${files} files are`
    const advice =
      files === 0
        ? ''
        : `${left} still offered with its signature: publish the same file again, signed with another key, or withdraw it.\n`
    return `Retired the release key ${retired.id}: its signatures are no longer accepted.\n${advice}`
  })
}
