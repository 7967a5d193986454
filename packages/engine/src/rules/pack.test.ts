import { describe, expect, it } from 'vitest'
import { compileRules } from './compile.js'
import { RulesError } from './error.js'
import { packRules } from './pack.js'

const kafka = `# Kept as it is.
rules:
  - cre:
      id: KAFKA-0001
      severity: 1
      applications:
        - name: Kafka
          version: 3.10 # not 3.1
      mitigation: |
        - Look: \`kafka-topics.sh --describe --bootstrap-server localhost:9092 --under-replicated-partitions | sort | uniq -c | sort -rn | head\`
    metadata:
      kind: omen
      gen: 1
    rule:
      set:
        event: {source: cre.log.kafka}
        match:
          - regex: 'ISR (from|to) \\d+'
`

const redis = `rules:
  - cre: {id: REDIS-0001}
    rule: {set: {event: {source: cre.log.redis}, match: [MISCONF]}}
---
rules:
  - cre: {id: REDIS-0002}
    metadata: {id: 2xQyB4ACvdZtULGSRFUPK4, hash: 7NsWD4CtbJW3NrVmvnrXpW}
    rule: {set: {event: {source: cre.log.redis}, match: [busy]}}
terms:
  busy: BUSY
---
section: version
content: [{version: 0.0.1}]
`

const files = [
  { name: 'kafka.yaml', text: kafka },
  { name: 'redis.yaml', text: redis },
]

describe('a package of rules', () => {
  it('contains the documents, each rule with its id and hash, and the version', async () => {
    const { text, rules } = await packRules(files, { version: '1.4.0' })
    const alone = await compileRules(files)
    expect(rules.rules).toEqual(alone.rules)
    expect(rules.version).toBe('1.4.0')
    for (const { ruleId, ruleHash } of alone.rules)
      expect(text).toMatch(new RegExp(`id: ${ruleId}.*\\n?.*hash: ${ruleHash}`))
    expect(text).toMatch(/---\nsection: version\ncontent:\n {2}- version: 1\.4\.0\n$/)
    expect(text).not.toContain('0.0.1')
  })

  it('keeps an identity that a document states', async () => {
    const { rules } = await packRules(files, { version: '1.4.0' })
    expect(rules.rules[2]).toMatchObject({ ruleId: '2xQyB4ACvdZtULGSRFUPK4', ruleHash: '7NsWD4CtbJW3NrVmvnrXpW' })
  })

  it('does not change the strings of the author', async () => {
    const { text, rules } = await packRules(files, { version: '1.4.0' })
    expect(text).toContain('# Kept as it is.')
    expect(text).toContain('version: 3.10 # not 3.1')
    expect(text).toContain(kafka.split('\n').find((line) => line.includes('kafka-topics.sh')))
    expect(rules.rules[0]!.cre.applications![0]!.version).toBe('3.10')
  })

  it('is the same string each time it is packed, also when a package is packed again', async () => {
    const { text } = await packRules(files, { version: '1.4.0' })
    expect((await packRules(files, { version: '1.4.0' })).text).toBe(text)
    expect((await packRules([{ name: 'again', text }], { version: '1.4.0' })).text).toBe(text)
  })

  it('uses the version that the documents state, and requires one', async () => {
    expect((await packRules(files, {})).rules.version).toBe('0.0.1')
    await expect(packRules([files[0]!], {})).rejects.toThrow('a package needs a version')
  })

  it('reads compressed documents', async () => {
    const packed = new Response(new Blob([kafka]).stream().pipeThrough(new CompressionStream('gzip')))
    const bytes = new Uint8Array(await packed.arrayBuffer())
    const { rules } = await packRules([{ name: 'kafka.yaml.gz', bytes }], { version: '1.4.0' })
    expect(rules.rules.map(({ cre }) => cre.id)).toEqual(['KAFKA-0001'])
  })

  it.each(['', '1.4', 'latest', '1.4.0\nrules: []'])('rejects the version %j', async (version) => {
    await expect(packRules(files, { version })).rejects.toThrow(RulesError)
  })

  it('rejects documents that do not load together', async () => {
    await expect(packRules([...files, files[0]!], { version: '1.4.0' })).rejects.toThrow('duplicate rule')
    const broken = { name: 'broken.yaml', text: 'rules: [' }
    await expect(packRules([broken], { version: '1.4.0' })).rejects.toThrow('broken.yaml')
  })

  it('rejects files that define two terms with the same name', async () => {
    const other = redis.replaceAll('REDIS-', 'VALKEY-').replaceAll('2xQy', '3xQy').replaceAll('7NsW', '8NsW')
    await expect(packRules([files[1]!, { name: 'other', text: other }], { version: '1.4.0' })).rejects.toThrow('busy')
  })
})
