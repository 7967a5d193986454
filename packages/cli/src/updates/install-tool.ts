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
import { Failure } from '../failure.js'
import { syncFolder } from '../output/write-file.js'
import type { Environment } from '../settings/configuration-folder.js'
import type { ToolFile } from './announcement.js'
import type { InstallContext } from './context.js'
import { fetchVerified } from './fetch-verified.js'
import { partFile } from './part-file.js'

/** The tool as it is installed here. */
export interface Installation {
  /** The executable that a new one can replace; undefined where that is not possible. */
  readonly replaceable: string | undefined
  /** What to run instead, to get a version. */
  command(version: string, url: URL | undefined): string
}

export interface InstallationFacts {
  readonly isSingleFile: boolean
  readonly execPath: string
  /** Where the program lies that is run. */
  readonly script: string
  readonly env: Environment
  /** The configuration directory. */
  readonly folder: string
}

/**
 * Finds out how the tool is installed: a single-file executable in a folder that can be written to is replaced; for all else
 * there is a command. What a container is made of is not changed from within: it would be gone with the container.
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
      command: (_, url) => `in its image, curl -fLo ${quote(path)} ${url ?? ''}`.trimEnd(),
    }
  }
  if (canReplace(path)) return { replaceable: path, command: () => `${path} updates install -y` }
  const command = `sudo OMEN_CONFIG_DIR=${quote(folder)} ${quote(path)} updates install -y`
  return { replaceable: undefined, command: () => command }
}

/** A global installation is updated by the tool that made it, a checkout by its own. */
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

function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}

/** Longer than any start takes, on any machine. */
const TRIAL = 60_000

/**
 * Replaces the executable that is running by a new one: downloads it beside, verifies size, hash and signature, runs it to see
 * that it works here and is the version that was announced, and renames it into place. The one before stays as
 * `<name>.previous`. At every moment there is a whole program under the name. Rejects with a `Failure`, and all is as it was.
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
    tryOut(part.path, file, version)
    return replace(path, part.path)
  } catch (error) {
    throw error instanceof Failure ? error : unable(path, error)
  } finally {
    part.discard()
  }
}

/** An old release that somebody announces as a new one is signed as well: what it is, it says itself. */
function tryOut(path: string, file: string, version: string): void {
  const { error, status, stdout } = spawnSync(path, ['-v'], { encoding: 'utf8', timeout: TRIAL, env: {} })
  if (error || status !== 0) {
    const reason = error ? (error as NodeJS.ErrnoException).code : `exit code ${status}`
    throw new Failure('Network', `${file}: it does not run here (${reason}): not installed`)
  }
  const said = stdout.trim()
  if (said === `omen ${version}`) return
  throw new Failure('Network', `${file}: it says that it is ${JSON.stringify(said.slice(0, 80))}: not installed`)
}

function replace(path: string, fresh: string): string {
  const previous = join(dirname(path), `${basename(path)}.previous`)
  const kept = `${previous}.${process.pid}`
  try {
    keepCopy(path, kept)
    renameSync(kept, previous)
    renameSync(fresh, path)
  } finally {
    rmSync(kept, { force: true })
  }
  syncFolder(dirname(path))
  return previous
}

/** Some file systems have no links. */
function keepCopy(path: string, copy: string): void {
  rmSync(copy, { force: true })
  try {
    linkSync(path, copy)
  } catch {
    copyFileSync(path, copy)
  }
}

function unable(path: string, error: unknown): Failure {
  const { code = String(error) } = error as NodeJS.ErrnoException
  return new Failure('Output', `${path}: it cannot be replaced (${code})`, { cause: error })
}
