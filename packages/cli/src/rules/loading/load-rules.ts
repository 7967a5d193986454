import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type CompiledRules,
  compileRules,
  exportRules,
  importRules,
  RULES_CACHE_FORMAT,
  RulesError,
} from '@omen/engine'
import { makeFolder } from '../../make-folder.js'
import { VERSION } from '../../version.js'
import type { RuleFile } from './rule-files.js'

/** As many sets of rules as somebody works with side by side; a cache is made again in a moment. */
const MOST_CACHES = 8

/** A cache, or one that is being written. */
const CACHE_NAME = /^[0-9a-f]{8}\.rules(\.\w+)?$/

/**
 * Compiles rule documents, or takes them from the cache when the very same documents were compiled before: parsing YAML
 * takes most of a short run. A cache that cannot be read or written is done without. Rejects with a `RulesError`.
 *
 * @example
 * const rules = await loadRules(ruleDocuments(request), join(configurationFolder, 'cache'))
 */
export async function loadRules(files: readonly RuleFile[], cacheFolder: string): Promise<CompiledRules> {
  const ready = await takeCompiled(files)
  if (ready) return ready
  const key = describe(files)
  const path = join(cacheFolder, `${digestOf(key)}.rules`)
  const cached = await readCache(path, key, files)
  if (cached) return cached
  const rules = await compileRules(files)
  writeCache(path, key, files, exportRules(rules))
  return rules
}

/**
 * The first line of a cache: what it was made from, and by what. Then come the documents themselves, and the compiled
 * rules twice, so that a damaged cache is noticed: to compare them is quicker than to load a checksum. Two descriptions that share a file name push each other out, and are told apart by their content.
 */
function describe(files: readonly RuleFile[]): string {
  const documents = files.map(({ name, bytes }) => [name, bytes.length])
  const made = { cache: 'omen-rules', tool: VERSION, format: RULES_CACHE_FORMAT, documents }
  return `${JSON.stringify(made)}\n`
}

/** Names the cache of a description: FNV-1a. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** Takes the form that was made when the tool was built, which is right as long as no other rules run. */
async function takeCompiled(files: readonly RuleFile[]): Promise<CompiledRules | undefined> {
  const compiled = files.length === 1 ? files[0]!.compiled : undefined
  try {
    return compiled === undefined ? undefined : await importRules(compiled)
  } catch (error) {
    // Of another version of the engine, or damaged: the document itself is still there.
    if (error instanceof RulesError) return undefined
    throw error
  }
}

/** The documents are compared byte by byte: that is surer than a digest of them, and faster than loading one. */
async function readCache(path: string, key: string, files: readonly RuleFile[]): Promise<CompiledRules | undefined> {
  try {
    const cache = readFileSync(path)
    let at = 0
    for (const part of [Buffer.from(key), ...files.map(({ bytes }) => bytes)]) {
      if (cache.compare(part, 0, part.length, at, at + part.length) !== 0) return undefined
      at += part.length
    }
    const compiled = cache.subarray(at, (at + cache.length) / 2)
    if (!compiled.equals(cache.subarray(at + compiled.length))) return undefined
    return await importRules(compiled.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Written beside and renamed, so that another process never reads half a cache. */
function writeCache(path: string, key: string, files: readonly RuleFile[], compiled: string): void {
  // Not the process id alone: two containers that share the folder may have the same one.
  const temporary = `${path}.${process.pid.toString(36)}${Math.random().toString(36).slice(2)}`
  const rules = Buffer.from(compiled)
  try {
    makeFolder(dirname(path))
    const parts = [key, ...files.map(({ bytes }) => bytes), rules, rules]
    writeFileSync(
      temporary,
      Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
      { mode: 0o600 },
    )
    renameSync(temporary, path)
    removeOldCaches(dirname(path))
  } catch {
    // A read-only configuration directory or a full disk is fine: the next run just compiles again.
    discard(temporary)
  }
}

/** Keeps the newest. What a run that was killed left half written grows old and goes with them. */
function removeOldCaches(folder: string): void {
  const caches = readdirSync(folder)
    .filter((name) => CACHE_NAME.test(name))
    .map((name) => join(folder, name))
    .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time)
  for (const { path } of caches.slice(MOST_CACHES)) rmSync(path, { force: true })
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // Nothing can be done about it, and nothing depends on it.
  }
}
