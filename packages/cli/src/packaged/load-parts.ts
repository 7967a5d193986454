import { Script } from 'node:vm'
import type { CodeCache } from './code-cache.js'

/** Where the parts of the tool are. */
export interface PartLoaderOptions {
  /** The name of the file that contains a part. */
  fileOf(name: string): string
  /** The source of a file, ASCII only: a script whose value is an object with one function for each part. */
  source(file: string): string
  /** The folder of the built tool: `__dirname` in the parts. */
  readonly folder: string
  readonly cache?: CodeCache | undefined
}

/** Loads parts of the tool. */
export interface PartLoader {
  /** Returns the exports of a part, which runs once. */
  load(name: string): object
  /** Stores the compiled code of the loaded files that were not in the cache. */
  cacheCode(): void
}

/** Compiling a smaller source takes no longer than reading its compiled code. */
const MIN_CACHED_LENGTH = 16 * 1024

/** Parts that run when one of their exports is used, not when they are required: most runs use none. */
const LAZY_PARTS: ReadonlySet<string> = new Set(['jq.js'])

/**
 * Modules of Node.js that are slow to load, and therefore loaded when one of their exports is used. `node:stream` and
 * `node:assert` cannot be in this list, because they are functions.
 */
const LAZY_MODULES: ReadonlySet<string> = new Set([
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

/** Has the parameters of a CommonJS module. */
type PartFunction = (
  exports: object,
  require: (id: string) => object,
  module: object,
  filename: string,
  folder: string,
) => void

/**
 * Creates a loader of parts. The work of Node.js for each module (finding its file, reading `package.json`, compiling) would
 * take longer than a short run: there are few parts, in one folder, and their compiled code is cached.
 *
 * @example
 * createPartLoader({ fileOf, source, folder, cache }).load('omen.js')
 */
export function createPartLoader({ fileOf, source, folder, cache }: PartLoaderOptions): PartLoader {
  const files = new Map<string, Readonly<Record<string, PartFunction>>>()
  const modules = new Map<string, { exports: object }>()
  const uncached = new Map<string, Script>()

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
    const isCached = text.length >= MIN_CACHED_LENGTH
    const code = isCached ? cache?.read(file) : undefined
    // The compiled code contains the file name, and stack traces show it: it must not depend on where the tool is installed.
    const script = new Script(text, { filename: `omen/parts/${file}`, ...(code && { cachedData: code }) })
    if (isCached && (!code || script.cachedDataRejected)) uncached.set(file, script)
    const functions = script.runInThisContext()
    files.set(file, functions)
    return functions
  }

  function require(id: string): object {
    if (id.startsWith('./')) {
      const name = id.slice(2)
      return LAZY_PARTS.has(name) ? lazyObject(() => load(name)) : load(name)
    }
    return LAZY_MODULES.has(id) ? lazyObject(() => builtin(id)) : builtin(id)
  }

  return {
    load,
    cacheCode() {
      // `omen -v` loads one file, and writes nothing into the home directory.
      if (files.size < 2) return
      for (const [file, script] of uncached) cache?.write(file, script.createCachedData())
    },
  }
}

/** Throws like Node.js: a library that tries a module of a newer Node.js expects that error. */
function builtin(id: string): object {
  const found: object | undefined = process.getBuiltinModule(id)
  if (!found) throw Object.assign(new Error(`this Node.js has no module ${id}`), { code: 'MODULE_NOT_FOUND' })
  return found
}

/**
 * An object that is created when one of its properties is used for the first time.
 *
 * @example
 * const zlib = lazyObject(() => process.getBuiltinModule('node:zlib'))
 */
export function lazyObject(create: () => object): object {
  let created: object | undefined
  const real = () => (created ??= create())
  return new Proxy(
    {},
    {
      // A promise that resolves to the object reads `then`, which is not a use.
      get: (_, name) => (name === 'then' ? undefined : Reflect.get(real(), name)),
      has: (_, name) => Reflect.has(real(), name),
      ownKeys: () => Reflect.ownKeys(real()),
      // A proxy must report properties that its target does not have as configurable.
      getOwnPropertyDescriptor: (_, name) => {
        const property = Reflect.getOwnPropertyDescriptor(real(), name)
        return property && { ...property, configurable: true }
      },
    },
  )
}
