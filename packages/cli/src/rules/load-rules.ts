import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledRules, compileRules, exportRules, importRules, RULES_CACHE_FORMAT } from '@omen/engine'
import type { RuleFile } from './rule-files.js'

/**
 * Compiles rule documents, or takes them from the cache when the same documents were compiled before: parsing YAML takes
 * most of a short run. A cache that cannot be read or written is done without.
 */
export async function loadRules(files: readonly RuleFile[], cacheFolder: string): Promise<CompiledRules> {
  const path = join(cacheFolder, `${fingerprint(files)}.json`)
  const cached = await readCache(path)
  if (cached) return cached
  const rules = await compileRules(files)
  writeCache(path, exportRules(rules))
  return rules
}

function fingerprint(files: readonly RuleFile[]): string {
  const hash = createHash('sha256').update(`${RULES_CACHE_FORMAT}\0`)
  for (const { name, bytes } of files) hash.update(`${name}\0${bytes.length}\0`).update(bytes)
  return hash.digest('hex').slice(0, 32)
}

async function readCache(path: string): Promise<CompiledRules | undefined> {
  try {
    return await importRules(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** Written beside and renamed, so that another process never reads half a cache. */
function writeCache(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(temporary, text)
    renameSync(temporary, path)
  } catch {
    // A read-only configuration directory is fine: the next run just compiles again.
  }
}
