import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type CompiledRules, RulesError } from '@omen/engine'
import { quote } from '@omen/engine/messages'
import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import { makeFolder } from '../make-folder.js'
import { explainWriteError } from '../output/write-failure.js'
import { readPackaged } from '../packaged/files.js'
import { findRules } from './find-rules.js'
import { loadRules } from './loading/load-rules.js'
import { ruleSkeleton } from './rule-skeleton.js'
import type { RulesContext } from './rules-verb.js'

/** The parsed command line of `omen rules new`. */
export interface NewCommand {
  /** The id, and the folder; by default the folder is named after the id. */
  readonly operands: readonly string[]
  readonly quiet?: boolean
}

const CRE_ID = /^[A-Za-z0-9-]{4,}$/

const LONGEST_ID = 100

/**
 * Runs `omen rules new <id> [folder]`: writes a working rule, with logs to test it. Never overwrites a file. Without an id, suggests
 * the next free one. Returns the exit code.
 *
 * @example
 * await newRule({ operands: ['SHOP-0001'] }, context)   // shop-0001/rule.yaml, hit.log, miss.log
 */
export async function newRule({ operands, quiet = false }: NewCommand, context: RulesContext): Promise<number> {
  const [id, folder, ...others] = operands
  if (others.length > 0) throw new Failure('Usage', 'omen rules new takes only an id and a folder')
  const installed = await installedRules(context)
  if (id === undefined) {
    const free = nextFreeId(installed, context.now())
    throw new Failure('Usage', `omen rules new needs an id: the next free one is ${free}, or choose your own prefix`)
  }
  checkId(id, installed, context.now())
  const target = folder ?? id.toLowerCase()
  const written = writeSkeleton(id, target)
  if (!quiet) {
    for (const path of written) context.out.write(`Wrote ${sanitize(path)}\n`)
    context.out.write(`Try it: omen rules test ${quoteForShell(target)}\n`)
  }
  return 0
}

/** The installed rules; undefined if they cannot be loaded, which must not prevent a new one. */
async function installedRules({ documents, cacheFolder }: RulesContext): Promise<CompiledRules | undefined> {
  try {
    return await loadRules(documents(), cacheFolder)
  } catch (error) {
    if (error instanceof RulesError || error instanceof Failure) return undefined
    throw error
  }
}

function checkId(id: string, installed: CompiledRules | undefined, now: Date): void {
  if (!CRE_ID.test(id) || id.length > LONGEST_ID || /^-|-$/.test(id)) {
    const allowed = 'use at least four letters, digits and hyphens, such as SHOP-0001'
    throw new Failure('Usage', `${quote(id)} is not a valid rule id: ${allowed}`)
  }
  const known = installed && findRules(installed, id).find(({ cre }) => cre.id.toLowerCase() === id.toLowerCase())
  if (known === undefined) return
  const free = nextFreeId(installed, now)
  throw new Failure(
    'Rules',
    `${known.cre.id} already exists (omen rules show ${known.cre.id}): the next free id is ${free}`,
  )
}

/** The first number of the catalogue. */
const FIRST_NUMBER = 10_001

/** The id after the highest one of this year. */
export function nextFreeId(installed: CompiledRules | undefined, now: Date): string {
  const prefix = `CRE-${now.getUTCFullYear()}-`
  const numbers = (installed?.rules ?? []).flatMap(({ cre }) => {
    const end = cre.id.startsWith(prefix) ? cre.id.slice(prefix.length) : ''
    return /^\d{1,9}$/.test(end) ? [Number(end)] : []
  })
  const next = numbers.reduce((highest, number) => Math.max(highest, number + 1), FIRST_NUMBER)
  return `${prefix}${next}`
}

/**
 * The relative path of the schema for editors, if it is in the folder or in one above it, up to the root of the repository.
 * Undefined for a path with special characters, which the comment for editors cannot contain.
 */
function schemaFor(folder: string): string | undefined {
  for (let above = resolve(folder); ; above = dirname(above)) {
    if (existsSync(join(above, SCHEMA_FILE))) {
      const path = relative(folder, join(above, SCHEMA_FILE)).split(sep).join('/')
      return /^[\w./@+-]+$/.test(path) ? (path.startsWith('.') ? path : `./${path}`) : undefined
    }
    if (existsSync(join(above, '.git')) || dirname(above) === above) return undefined
  }
}

function writeSkeleton(id: string, folder: string): string[] {
  const files = Object.entries(ruleSkeleton(id, schemaFor(folder))).map(([name, text]) => ({
    path: join(folder, name),
    text,
  }))
  const existing = files.find(({ path }) => existsSync(path))
  if (existing) throw new Failure('Output', `${existing.path} already exists: choose another folder`)
  const created: string[] = []
  let current = folder
  try {
    makeFolder(folder, 0o777)
    for (const { path, text } of files) {
      current = path
      // With wx, a file that was created in the meantime is not overwritten.
      const file = openSync(path, 'wx')
      created.push(path)
      try {
        writeFileSync(file, text)
      } finally {
        closeSync(file)
      }
    }
  } catch (error) {
    for (const path of created) rmSync(path, { force: true })
    const explained = explainWriteError(current, error)
    if (explained instanceof Failure) throw explained
    throw new Failure('Output', `${folder}: ${(error as Error).message}`, { cause: error })
  }
  return created
}

/** A path quoted for a shell. */
function quoteForShell(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${sanitize(path).replaceAll("'", "'\\''")}'`
}

/** The name of the schema in the package, and of the file that `omen rules new` looks for. */
export const SCHEMA_FILE = 'rule.schema.json'

/**
 * Runs `omen rules schema`: prints the JSON Schema of a rule document, for editors. Returns the exit code.
 *
 * @example
 * await printSchema({}, context)
 */
export async function printSchema(_command: object, { out }: Pick<RulesContext, 'out'>): Promise<number> {
  out.write(readPackaged(SCHEMA_FILE).toString())
  return 0
}
