import { Script } from 'node:vm'
import type { CodeCache } from './code-cache.js'
import { later } from './later.js'

/** Where the parts of the tool come from. */
export interface Parts {
  /** The name of the file that a part lies in. */
  fileOf(name: string): string
  /** The text of a file: a script whose value is an object with the functions of its parts. ASCII only. */
  source(file: string): string
  /** The folder of the built tool, which the parts know as `__dirname`. */
  readonly folder: string
  readonly cache?: CodeCache | undefined
}

/** Loads parts of the tool. */
export interface PartLoader {
  /** Gives the exports of a part. */
  load(name: string): object
  /** Keeps the compiled code of what was loaded and was not in the cache yet. */
  keepCode(): void
}

/** A smaller source is compiled in the time that it takes to read its compiled code. */
const WORTH_CACHING = 16 * 1024

/** Parts that run when something in them is used, not when they are asked for: most runs use nothing of them. */
const USED_SELDOM: ReadonlySet<string> = new Set(['jq.js'])

/**
 * Modules of Node.js that take long to load, and are loaded when something of them is used. Only such that are plain objects:
 * `node:stream` and `node:assert` are functions.
 */
const LOADED_LATER: ReadonlySet<string> = new Set([
  'node:child_process',
  'node:crypto',
  'node:http',
  'node:https',
  'node:net',
  'node:os',
  'node:perf_hooks',
  'node:readline',
  'node:timers/promises',
  'node:tty',
  'node:worker_threads',
  'node:zlib',
])

/** Takes what a CommonJS module is given. */
type PartFunction = (
  exports: object,
  require: (id: string) => object,
  module: object,
  filename: string,
  folder: string,
) => void

/**
 * Makes a loader of parts. What Node.js does for each module (looking for files, reading `package.json`, compiling) would take
 * longer than the work of a short run: so the parts are few, lie in one place, and are compiled once and for all.
 *
 * @example
 * createPartLoader({ fileOf, source, folder, cache }).load('omen.js')
 */
export function createPartLoader({ fileOf, source, folder, cache }: Parts): PartLoader {
  const files = new Map<string, Readonly<Record<string, PartFunction>>>()
  const modules = new Map<string, { exports: object }>()
  const fresh = new Map<string, Script>()

  function load(name: string): object {
    const known = modules.get(name)
    if (known) return known.exports
    const run = read(fileOf(name))[name]
    if (!run) throw new Error(`this installation of omen has no part ${name}`)
    const module = { exports: {} }
    modules.set(name, module)
    run(module.exports, require, module, `${folder}/parts/${name}`, folder)
    return module.exports
  }

  function read(file: string): Readonly<Record<string, PartFunction>> {
    const known = files.get(file)
    if (known) return known
    const text = source(file)
    const isWorthIt = text.length >= WORTH_CACHING
    const code = isWorthIt ? cache?.read(file) : undefined
    // Compiled code carries the name, and stack traces show it: it is the same wherever the tool lies.
    const script = new Script(text, { filename: `omen/parts/${file}`, ...(code && { cachedData: code }) })
    if (isWorthIt && (!code || script.cachedDataRejected)) fresh.set(file, script)
    const functions = script.runInThisContext()
    files.set(file, functions)
    return functions
  }

  function require(id: string): object {
    if (id.startsWith('./')) {
      const name = id.slice(2)
      return USED_SELDOM.has(name) ? later(() => load(name)) : load(name)
    }
    return LOADED_LATER.has(id) ? later(() => builtin(id)) : builtin(id)
  }

  return {
    load,
    keepCode() {
      // Somebody who only asks for the version gets nothing written into the home.
      if (files.size < 2) return
      for (const [file, script] of fresh) cache?.keep(file, script.createCachedData())
    },
  }
}

/** A library that tries a module of a newer Node.js expects to fail. */
function builtin(id: string): object {
  const found: object | undefined = process.getBuiltinModule(id)
  if (!found) throw Object.assign(new Error(`this Node.js has no module ${id}`), { code: 'MODULE_NOT_FOUND' })
  return found
}
