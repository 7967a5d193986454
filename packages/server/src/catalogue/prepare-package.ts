import { brotliCompressSync, constants, gunzipSync } from 'node:zlib'
import { type ListedRule, type Origin, SEVERITY_LABELS, type WholeRule } from './catalogue.js'
import { type ReadRule, readRules } from './read-rules.js'

/** A package to prepare. */
export interface PackageTask {
  readonly bytes: Uint8Array
  readonly origin: Origin
}

/** What is kept of a package: enough for every response about it without reading it again. */
export interface PreparedPackage {
  readonly origin: Origin
  readonly version: string
  /** Its rules in the form of the list, each as JSON. */
  readonly listed: ReadonlyMap<string, string>
  /** The rules with all fields, each as JSON compressed with brotli. */
  readonly rules: ReadonlyMap<string, Uint8Array>
}

/** Reads a package and prepares its responses. */
export type PreparePackage = (task: PackageTask) => Promise<PreparedPackage>

/** The engine's limit for unpacked documents. */
const LARGEST_TEXT = 64 * 1024 * 1024

/** The best compression takes ten times as long as this one, and saves another tenth. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/**
 * Prepares a package in this thread. A large one takes seconds: a server does it in another thread (`createPreparer`).
 *
 * @example
 * (await preparePackage({ bytes, origin: 'community' })).rules.has('CRE-2026-10001') // true
 */
export const preparePackage: PreparePackage = async ({ bytes, origin }) => {
  const { version, rules } = readRules(gunzipSync(bytes, { maxOutputLength: LARGEST_TEXT }).toString('utf8'))
  return {
    origin,
    version,
    listed: new Map(rules.map((rule) => [rule.id, JSON.stringify(listed(rule, origin))])),
    rules: new Map(rules.map((rule) => [rule.id, compress(whole(rule, origin, version))])),
  }
}

function listed(rule: ReadRule, origin: Origin): ListedRule {
  const { id, title, severity, category, tags, applications, cause } = rule
  const severity_label = SEVERITY_LABELS[severity] ?? 'info'
  return { id, title, severity, severity_label, category, tags, applications, cause, package: origin }
}

function whole(rule: ReadRule, origin: Origin, version: string): WholeRule {
  const { description, impact, mitigation, references, yaml } = rule
  return { ...listed(rule, origin), description, impact, mitigation, references, version, yaml }
}

function compress(rule: WholeRule): Uint8Array {
  return brotliCompressSync(JSON.stringify(rule), COMPRESSION)
}
