import { accessSync, constants, existsSync } from 'node:fs'
import { Failure } from '../failure.js'
import { makeFolder } from '../make-folder.js'
import { writeFileAtomically } from '../output/write-file.js'
import type { Session } from '../session.js'
import { readConfigFile } from '../settings/config-file.js'
import { decodeText, readSmallFile } from '../settings/document/read-small-file.js'
import { type ConfiguredService, withService } from '../settings/edit-config.js'

/**
 * Writes a service into `config.yaml` without changing its comments and order. Rejects with a `Failure` if the file cannot be
 * written or would not be valid.
 *
 * @example
 * await writeService({ url: 'https://omen.example.com' }, session)
 */
export async function writeService(service: ConfiguredService, session: Session): Promise<void> {
  const bytes = await edit(service, session)
  const { file, folder } = session.loaded
  makeFolder(folder)
  await writeFileAtomically(file, [bytes], { mode: 0o600 })
}

/** Rejects if `writeService` would, and writes nothing. */
export async function checkService(service: ConfiguredService, session: Session): Promise<void> {
  await edit(service, session)
  const { file, folder } = session.loaded
  try {
    accessSync(existsSync(file) ? file : folder, constants.W_OK)
  } catch (error) {
    throw new Failure('Config', `${file} is not writable: add service.url to it yourself`, { cause: error })
  }
}

/** The new content of `config.yaml`. */
async function edit(service: ConfiguredService, { loaded, env }: Session): Promise<Uint8Array> {
  const { file, folder } = loaded
  const read = readSmallFile(file)
  const text = 'bytes' in read ? decodeText(read.bytes).text : ''
  const bytes = Buffer.from(await withService(text, service))
  const { settings } = await readConfigFile({ folder, path: file, bytes }, env)
  const { url, keys } = service
  if (settings.serviceUrl === url && (keys === undefined || settings.publicKeys.length === keys.length)) return bytes
  const names = keys === undefined ? 'service.url' : 'service.url and updates.publicKeys'
  throw new Failure('Config', `${file}: omen cannot change this file: add ${names} to it yourself`)
}
