import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledRules, compileRules, exportRules, importRules, RULES_CACHE_FORMAT } from '@omen/engine'
import type { RuleFile } from './rule-files.js'

/**
 * Compiles rule documents, or takes them from the cache when the very same documents were compiled before: parsing YAML
 * takes most of a short run. A cache that cannot be read or written is done without.
 */
export async function loadRules(files: readonly RuleFile[], cacheFolder: string): Promise<CompiledRules> {
  const key = describe(files)
  const path = join(cacheFolder, `${digest(key)}.rules`)
  const cached = await readCache(path, key, files)
  if (cached) return cached
  const rules = await compileRules(files)
  writeCache(path, key, files, exportRules(rules))
  return rules
}

/** The first line of a cache: what it was made from. The documents themselves follow, then the compiled rules. */
function describe(files: readonly RuleFile[]): string {
  const documents = files.map(({ name, bytes }) => [name, bytes.length])
  return `${JSON.stringify({ cache: 'omen-rules', format: RULES_CACHE_FORMAT, documents })}\n`
}

/** Names the cache of a description. Two that share a name push each other out, and are told apart by their content. */
function digest(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
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
    return await importRules(cache.toString('utf8', at))
  } catch {
    return undefined
  }
}

/** Written beside and renamed, so that another process never reads half a cache. */
function writeCache(path: string, key: string, files: readonly RuleFile[], compiled: string): void {
  const temporary = `${path}.${process.pid}`
  try {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(
      temporary,
      Buffer.concat([Buffer.from(key), ...files.map(({ bytes }) => bytes), Buffer.from(compiled)]),
    )
    renameSync(temporary, path)
  } catch {
    // A read-only configuration directory is fine: the next run just compiles again.
  }
}
