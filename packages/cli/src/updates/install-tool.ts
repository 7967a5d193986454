import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { quote as quoteValue } from '@omen/engine/messages'
import { Failure } from '../failure.js'
import { syncFolder } from '../output/write-file.js'
import type { Environment } from '../settings/configuration-folder.js'
import type { ToolFile } from './announcement.js'
import { fetchVerified } from './fetch-verified.js'
import type { InstallContext } from './install-offers.js'
import { partFile } from './part-file.js'

/** How the tool is installed. */
export interface Installation {
  /** The executable that an update can replace; undefined if that is not possible. */
  readonly replaceable: string | undefined
  /** The command that installs a version instead. */
  command(version: string, url: URL | undefined): string
}

export interface InstallationFacts {
  readonly isSingleFile: boolean
  readonly execPath: string
  /** The folder of the running program. */
  readonly script: string
  readonly env: Environment
  /** The configuration directory. */
  readonly folder: string
}

/**
 * Finds out how the tool is installed. A single-file executable in a writable folder can be replaced; for other installations there is a
 * command. A container is not changed: the change would be lost with the container.
 *
 * @example
 * findInstallation(facts).command('0.3.0', url) // 'npm install -g @omen/cli@0.3.0'
 */
export function findInstallation(facts: InstallationFacts): Installation {
  const { isSingleFile, env, folder } = facts
  if (!isSingleFile) return { replaceable: undefined, command: (version) => packageCommand(facts.script, version) }
  const path = realpathSync(facts.execPath)
  if (env.KUBERNETES_SERVICE_HOST !== undefined || env.container !== undefined) {
    return {
      replaceable: undefined,
      command: (_, url) => `in the image, run curl -fLo ${shellQuote(path)} ${url ?? ''}`.trimEnd(),
    }
  }
  if (canReplace(path)) return { replaceable: path, command: () => `${path} updates install -y` }
  const command = `sudo OMEN_CONFIG_DIR=${shellQuote(folder)} ${shellQuote(path)} updates install -y`
  return { replaceable: undefined, command: () => command }
}

function packageCommand(script: string, version: string): string {
  return /[\\/]node_modules[\\/]/.test(script)
    ? `npm install -g @omen/cli@${version}`
    : 'git pull && npm ci && npm run build'
}

function canReplace(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK)
    return true
  } catch {
    return false
  }
}

function shellQuote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}

/** Milliseconds for a start of the new executable. */
const START_TIMEOUT = 60_000

/**
 * Replaces the running executable: downloads the new one into the same folder, verifies size, hash and signature, runs it to check that it
 * works and has the announced version, and renames it. The old executable stays as `<name>.previous`. At every moment there is a
 * complete executable. If it rejects with a `Failure`, nothing has changed.
 *
 * @example
 * await installTool('/usr/local/bin/omen', '0.3.0', file, context) // '/usr/local/bin/omen.previous'
 */
export async function installTool(
  path: string,
  version: string,
  { url, sigUrl, size, sha256, platform }: ToolFile,
  context: InstallContext,
): Promise<string> {
  const file = `omen-${version}-${platform}`
  const part = partFile(join(dirname(path), `.${file}.part`), 0o700)
  const label = `Downloading omen ${version}`
  const wanted = { file, url, sigUrl, size, sha256, label, total: context.limits.download.tool }
  await fetchVerified(wanted, part, context)
  try {
    const { mode } = statSync(path)
    chmodSync(part.path, (mode & 0o777) | 0o500)
    checkVersion(part.path, file, version)
    return replace(path, part.path)
  } catch (error) {
    throw error instanceof Failure ? error : notReplaced(path, error)
  } finally {
    part.discard()
  }
}

/** An old release that is announced as a new one has a valid signature too: only the executable knows its version. */
function checkVersion(path: string, file: string, version: string): void {
  const { error, status, stdout } = spawnSync(path, ['-v'], { encoding: 'utf8', timeout: START_TIMEOUT, env: {} })
  if (error || status !== 0) {
    const reason = error ? (error as NodeJS.ErrnoException).code : `exit code ${status}`
    throw new Failure('Network', `${file}: it does not run on this machine (${reason}): not installed`)
  }
  const printed = stdout.trim()
  if (printed === `omen ${version}`) return
  throw new Failure('Network', `${file}: its version is ${quoteValue(printed)}: not installed`)
}

function replace(path: string, replacement: string): string {
  const previous = join(dirname(path), `${basename(path)}.previous`)
  const temporary = `${previous}.${process.pid}`
  try {
    copyTo(path, temporary)
    renameSync(temporary, previous)
    renameSync(replacement, path)
  } finally {
    rmSync(temporary, { force: true })
  }
  syncFolder(dirname(path))
  return previous
}

/** Links the file; copies it on file systems without hard links. */
function copyTo(path: string, copy: string): void {
  rmSync(copy, { force: true })
  try {
    linkSync(path, copy)
  } catch {
    copyFileSync(path, copy)
  }
}

function notReplaced(path: string, error: unknown): Failure {
  const { code = String(error) } = error as NodeJS.ErrnoException
  return new Failure('Output', `${path} cannot be replaced (${code})`, { cause: error })
}
