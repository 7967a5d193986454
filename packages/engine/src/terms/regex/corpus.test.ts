import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { hasShared, sharedFolder } from '../../../test/contract.js'
import { parseRegex, planRegex } from './index.js'

function regexesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(regexesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'regex' && typeof inner === 'string' ? [inner] : regexesIn(inner),
  )
}

function corpusRegexes(): string[] {
  const folder = `${sharedFolder}corpus/cre/`
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => parseAllDocuments(readFileSync(`${folder}${name}/rule.yaml`, 'utf8')))
    .flatMap((document) => regexesIn(document.toJS()))
}

describe.runIf(hasShared)('the regexes of the corpus', () => {
  // The body of a skipped suite still runs, so the corpus is read only if it exists.
  const regexes = hasShared ? corpusRegexes() : []
  const plans = [...new Set(regexes)].map((regex) => ({ regex, plan: planRegex(parseRegex(regex)) }))

  it('all require at least one string', () => {
    expect(plans.length).toBeGreaterThan(50)
    for (const { regex, plan } of plans) expect(plan, regex).not.toBeNull()
  })

  it('are mostly decided by their plan alone', () => {
    const exact = plans.filter(({ plan }) => plan!.every((alternative) => alternative.exact))
    expect(exact.length / plans.length).toBeGreaterThan(0.6)
  })
})
