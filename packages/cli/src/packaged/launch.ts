import { isAbsolute } from 'node:path'
import { type CodeCache, openCodeCache } from './code-cache.js'
import { isSingleFile, packagedPath, readPackaged } from './files.js'
import { createPartLoader, type PartLoader } from './load-parts.js'

/** A digest of all parts, which differs between builds. The bundler defines it. */
declare const BUILD: string

/** The name of the file of each part that shares its file with others. The bundler defines it. */
declare const FILES: Readonly<Record<string, string>>

/** After a longer run the compiled code no longer shows what a start needs: V8 discards code that was not used for a while. */
const MAX_START_MICROSECONDS = 5_000_000

/**
 * Runs one part: the tool, or its worker thread.
 *
 * @example
 * cacheCodeAtExit(launch('omen.js'))
 */
export function launch(part: string): PartLoader {
  const loader = createPartLoader({
    fileOf: (name) => FILES[name] ?? name,
    source: (file) => readPackaged(`parts/${file}`).toString('latin1'),
    folder: packagedPath(''),
    cache: isSingleFile() ? codeInExecutable() : codeInConfiguration(),
  })
  loader.load(part)
  return loader
}

/** Stores the compiled code when the process ends, so that the next run starts faster. */
export function cacheCodeAtExit(loader: PartLoader): void {
  process.on('exit', () => {
    // CPU time, because a busy machine does not change what was compiled.
    if (process.cpuUsage().user < MAX_START_MICROSECONDS) loader.cacheCode()
  })
}

/** A single-file executable contains the compiled code of its parts, made by the same Node.js. */
function codeInExecutable(): CodeCache {
  return { read: (file) => readPackaged(`code/${file}`), write: () => {} }
}

/** Beside the compiled rules in the configuration directory; no cache where that directory is not obvious. */
function codeInConfiguration(): CodeCache | undefined {
  const { OMEN_CONFIG_DIR, HOME } = process.env
  const folder = OMEN_CONFIG_DIR || (HOME && `${HOME}/.preq`)
  try {
    return folder && isAbsolute(folder) ? openCodeCache(`${folder}/cache`, BUILD) : undefined
  } catch {
    return undefined
  }
}
