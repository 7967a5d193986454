import { basename, dirname } from 'node:path'
import { Failure } from '../../failure.js'
import { filesBelow, filesIn, statOf } from '../loading/rule-files.js'

/** Rule documents with their test logs. */
export interface RuleTest {
  readonly folder: string
  /** The paths of rule documents: `rule.yaml`, or other documents next to logs. */
  readonly documents: readonly string[]
  /** The logs on which the rules must fire (hits), and must not fire (misses). */
  readonly hits: readonly string[]
  readonly misses: readonly string[]
}

const DOCUMENT = /\.ya?ml(\.gz)?$/i
const MAIN_DOCUMENT = /^rule\.ya?ml(\.gz)?$/i
const LOG = /^(hit|miss)[^/]*\.(log|jsonl?|txt)(\.gz)?$/i

/**
 * Finds the rule tests at a path: a document with logs next to it, a folder of both, or a tree of such folders. A folder is a test if
 * it has a `rule.yaml`, or other documents and logs named `hit…` or `miss…`.
 *
 * @example
 * findRuleTests('rules') // [{ folder: 'rules/cre-2026-10001', documents: ['…/rule.yaml'], hits: ['…/hit.log'], … }, …]
 */
export function findRuleTests(path: string): RuleTest[] {
  if (!statOf(path).isDirectory()) return [testOf(dirname(path), filesIn(dirname(path)), [path])]
  const tests = [...byFolder(filesBelow(path))].flatMap(([folder, files]) => {
    const documents = documentsToTest(files)
    return documents.length > 0 ? [testOf(folder, files, documents)] : []
  })
  if (tests.length > 0) return tests.sort((a, b) => (a.folder < b.folder ? -1 : 1))
  throw new Failure('Rules', `${path}: no rule.yaml in this folder or below: create one with omen rules new <id>`)
}

function byFolder(files: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>()
  for (const file of files) {
    const folder = dirname(file)
    const known = folders.get(folder)
    if (known) known.push(file)
    else folders.set(folder, [file])
  }
  return folders
}

function documentsToTest(files: readonly string[]): string[] {
  const documents = files.filter((file) => DOCUMENT.test(file)).sort()
  const main = documents.filter((file) => MAIN_DOCUMENT.test(basename(file)))
  if (main.length > 0) return main
  return files.some((file) => LOG.test(basename(file))) ? documents : []
}

function testOf(folder: string, files: readonly string[], documents: readonly string[]): RuleTest {
  const logs = files.filter((file) => LOG.test(basename(file))).sort()
  const isHit = (file: string) => /^hit/i.test(basename(file))
  return { folder, documents, hits: logs.filter(isHit), misses: logs.filter((file) => !isHit(file)) }
}
