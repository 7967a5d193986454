import { isAbsolute } from 'node:path'
import { type CodeCache, openCodeCache } from './code-cache.js'
import { isSingleFile, packagedPath, readPackaged } from './files.js'
import { createPartLoader, type PartLoader } from './load-parts.js'

/** Tells builds of the tool apart: a digest of all parts, put here by the bundler. */
declare const BUILD: string

/** The parts that lie in a file with others, and its name, put here by the bundler. */
declare const FILES: Readonly<Record<string, string>>

/** What a longer run has compiled is no picture of a start any more: V8 throws away code that was not used for a while. */
const LONGEST_START_MICROSECONDS = 5_000_000

/**
 * Starts the tool, or a worker thread of it, at one of its parts.
 *
 * @example
 * keepCodeAtEnd(launch('omen.js'))
 */
export function launch(part: string): PartLoader {
  const loader = createPartLoader({
    fileOf: (name) => FILES[name] ?? name,
    source: (file) => readPackaged(`parts/${file}`).toString('latin1'),
    folder: packagedPath(''),
    cache: isSingleFile() ? codeInside() : codeInCache(),
  })
  loader.load(part)
  return loader
}

/** Lets the next run start faster. */
export function keepCodeAtEnd(loader: PartLoader): void {
  process.on('exit', () => {
    // In time of the processor: a busy machine changes nothing about what was compiled.
    if (process.cpuUsage().user < LONGEST_START_MICROSECONDS) loader.keepCode()
  })
}

/** A single-file executable carries the compiled code of its parts, made by the very Node.js that is in it. */
function codeInside(): CodeCache {
  return { read: (file) => readPackaged(`code/${file}`), keep: () => {} }
}

/** Beside the compiled rules in the configuration directory. Where the place of that is not plain to see, there is no cache. */
function codeInCache(): CodeCache | undefined {
  const { OMEN_CONFIG_DIR, HOME } = process.env
  const folder = OMEN_CONFIG_DIR || (HOME && `${HOME}/.preq`)
  try {
    return folder && isAbsolute(folder) ? openCodeCache(`${folder}/cache`, BUILD) : undefined
  } catch {
    return undefined
  }
}
