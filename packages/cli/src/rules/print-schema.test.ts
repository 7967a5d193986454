import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { RULES_FOLDER, useRules } from '../../test/rules-context.js'
import { printSchema, SCHEMA_FILE } from './print-schema.js'

const folder = useRules()

it('omen rules schema prints the schema of the rules that come with the tool', async () => {
  const { code, out, err } = await folder.run((context) => printSchema({}, context))
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe(readFileSync(join(RULES_FOLDER, SCHEMA_FILE), 'utf8'))
  expect(JSON.parse(out)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' })
})
