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

/** How many sets of rules are kept; a removed one is compiled again. */
const MOST_CACHES = 8

/** The name of a cache file, or of one that is being written. */
const CACHE_NAME = /^[0-9a-f]{8}\.rules(\.\w+)?$/

/**
 * Compiles rule documents, or loads them from the cache if the same documents were compiled before: parsing YAML takes most of a
 * short run. A cache that cannot be read or written is ignored. Rejects with a `RulesError`.
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
 * The first line of a cache file: the documents and versions that it was compiled from. It is followed by the documents and twice by
 * the compiled rules, so that a damaged cache is detected: comparing them is faster than loading a hash function. Two sets of rules
 * whose file names collide replace each other, and are distinguished by their content.
 */
function describe(files: readonly RuleFile[]): string {
  const documents = files.map(({ name, bytes }) => [name, bytes.length])
  const made = { cache: 'omen-rules', tool: VERSION, format: RULES_CACHE_FORMAT, documents }
  return `${JSON.stringify(made)}\n`
}

/** FNV-1a, for the name of the cache file. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** The rules that were compiled when the tool was built, if no other rules run. */
async function takeCompiled(files: readonly RuleFile[]): Promise<CompiledRules | undefined> {
  const compiled = files.length === 1 ? files[0]!.compiled : undefined
  try {
    return compiled === undefined ? undefined : await importRules(compiled)
  } catch (error) {
    // From another version of the engine, or damaged: the document is compiled instead.
    if (error instanceof RulesError) return undefined
    throw error
  }
}

/** Compares the documents byte by byte, which is faster than loading a hash function. */
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

/** Writes a temporary file and renames it, so that another process never reads an incomplete cache. */
function writeCache(path: string, key: string, files: readonly RuleFile[], compiled: string): void {
  // Not only the process id: two containers that share the folder may have the same one.
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
    // The configuration folder is read-only or the disk is full: the next run compiles again.
    discard(temporary)
  }
}

/** Removes all but the newest files, including incomplete ones that killed runs have left. */
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
    // Nothing depends on it.
  }
}
