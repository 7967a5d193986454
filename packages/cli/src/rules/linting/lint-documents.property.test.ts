import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RULES_FOLDER } from '../../../test/rules-context.js'
import { excerptOf } from './excerpt.js'
import { lintDocuments } from './lint-documents.js'

const whole = readFileSync(`${RULES_FOLDER}/cre-2026-10004/rule.yaml`, 'utf8')

/** A good document with a piece of it replaced. */
const damaged = fc
  .record({
    at: fc.nat(whole.length),
    length: fc.nat(40),
    instead: fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom('\t', '\n', ': ', '- ', '&a ', '*a', '{', ']', '\u0000', '"'),
    ),
  })
  .map(({ at, length, instead }) => whole.slice(0, at) + instead + whole.slice(at + length))

it('checks any document without an exception, and each finding has a valid position', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, fc.string()), async (text) => {
      const { findings, documents } = await lintDocuments([{ name: 'damaged.yaml', bytes: Buffer.from(text) }])
      for (const { file, line, column } of findings) {
        const excerpt = excerptOf(documents.get(file)?.text ?? '', line, column, 80)
        if (excerpt) expect(excerpt.source.length).toBeLessThanOrEqual(80)
      }
    }),
    { numRuns: 300 },
  )
})

it('checks bytes that are not text', async () => {
  const bytes = fc.uint8Array({ maxLength: 200 })
  const gzip = bytes.map((rest) => Uint8Array.from([0x1f, 0x8b, 8, ...rest]))
  await fc.assert(
    fc.asyncProperty(fc.oneof(bytes, gzip), async (bytes) => {
      const { findings } = await lintDocuments([{ name: 'bytes.yaml', bytes }])
      expect(findings.some(({ level }) => level === 'error')).toBe(true)
    }),
    { numRuns: 200 },
  )
})
