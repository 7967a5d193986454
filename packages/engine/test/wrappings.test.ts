import { describe, expect, it } from 'vitest'
import { compileCatalogue, TEST_DAY } from '../../../scripts/catalogue/confusion.mjs'
import { type CatalogueFolder, readCatalogue } from '../../../scripts/catalogue/read-catalogue.mjs'
import { compileRules, createDetector, type Detector, RulesError, readEntries } from '../src/index.js'
import { isPostgresLine, POSTGRES_LOGS } from './catalogue/postgresql-logs.js'
import { WRAPPINGS, type Wrapping, type WrittenLine } from './catalogue/wrappings.js'

interface Exception {
  readonly rule: string
  readonly entries: Wrapping['entries']
  readonly why: string
}

/** The rules that do not find the same in some wrappings. */
const EXCEPTIONS: readonly Exception[] = [
  {
    rule: 'CRE-2026-10050',
    entries: 'torn',
    why: 'It needs a whole entry of several lines, and there every line is an entry.',
  },
  {
    rule: 'CRE-2026-10002',
    entries: 'whole',
    why: 'Its pattern ends with the line. In the text of a JSON object the line feed is an escape, which is not the end of a line.',
  },
]

/**
 * Rules whose logs have lines in several formats. Until the reader takes the time of each line in its own format, some lines of
 * the plain log, or of a wrapped one, become part of the entry before them.
 */
const SEVERAL_FORMATS: readonly string[] = [10026, 10027, 10029, 10030, 10045, 10070].map(
  (number) => `CRE-2026-${number}`,
)

type Log = CatalogueFolder['logs'][number]
type Counts = Readonly<Record<string, number>>

const { folders } = readCatalogue()
const compiled = compileCatalogue({ compileRules, createDetector, RulesError }, folders)

/** The logs of all rules, by the source of the rule. A detector for few rules restarts much faster than one for all of them. */
const logsBySource = compiled.then(({ rules: { rules } }) => {
  const sources = new Map<string, Log[]>()
  for (const { cre, source } of rules) {
    const { logs } = folders.find(({ id }) => id === cre.id)!
    sources.set(source, [...(sources.get(source) ?? []), ...logs])
  }
  return sources
})

const encode = (lines: readonly string[]) => new TextEncoder().encode(`${lines.join('\n')}\n`)
const linesOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes).split('\n').slice(0, -1)

const CONTAINER = /^\S+ std(?:out|err) [FP] |^\{"log":.*"stream":/

/** The lines of a log, by entry. */
async function writtenEntries({ bytes }: Log): Promise<WrittenLine[][]> {
  const lines = linesOf(bytes)
  const isContainer = CONTAINER.test(lines[0]!)
  const entries = new Map<number, { readonly text: string; readonly timestamp: bigint }>()
  for await (const entry of readEntries(bytes, { now: TEST_DAY })) entries.set(entry.line, entry)
  let [last] = entries.values()
  const written: WrittenLine[][] = []
  lines.forEach((raw, index) => {
    const entry = entries.get(index + 1)
    last = entry ?? last
    const line = { raw, text: isContainer && entry ? entry.text : raw, timestamp: last!.timestamp }
    if (entry || index === 0) written.push([line])
    else written.at(-1)!.push(line)
  })
  return written
}

/** The lines of an entry as one. */
function joined(lines: readonly WrittenLine[]): WrittenLine {
  const join = (key: 'raw' | 'text') => lines.map((line) => line[key]).join('\n')
  return { raw: join('raw'), text: join('text'), timestamp: lines[0]!.timestamp }
}

/** How often each rule fires on a log. */
function countsOf(detector: Detector, bytes: Uint8Array): Counts {
  detector.restart()
  const counts: Record<string, number> = {}
  for (const { cre } of [...detector.push(bytes), ...detector.end()]) counts[cre.id] = (counts[cre.id] ?? 0) + 1
  return counts
}

/** The rules that do not fire equally often on two versions of a log. */
function differences({ name }: Log, plain: Counts, other: Counts): string[] {
  const rules = [...new Set([...Object.keys(plain), ...Object.keys(other)])]
  return rules.flatMap((rule) =>
    plain[rule] === other[rule] ? [] : [`${rule} fires ${other[rule] ?? 0} times, not ${plain[rule] ?? 0}, on ${name}`],
  )
}

/** The differences that each wrapping makes, over all logs. */
async function wrapAll(): Promise<Map<string, string[]>> {
  const { rules } = await compiled
  const found = new Map(Object.keys(WRAPPINGS).map((name): [string, string[]] => [name, []]))
  for (const [source, logs] of await logsBySource) {
    const detector = createDetector(rules, { source, now: TEST_DAY })
    for (const log of logs) {
      const plain = countsOf(detector, log.bytes)
      const written = await writtenEntries(log)
      for (const [name, { write, entries }] of Object.entries(WRAPPINGS)) {
        const lines = entries === 'whole' ? written.map(joined) : written.flat()
        found.get(name)!.push(...differences(log, plain, countsOf(detector, encode(lines.map(write)))))
      }
    }
  }
  return found
}

const wrapped = wrapAll()

describe('every rule of the catalogue fires as often as on the plain log in', () => {
  it.each(Object.entries(WRAPPINGS))('%s', async (name, { entries }) => {
    const accepted = EXCEPTIONS.filter((exception) => exception.entries === entries).map(({ rule }) => rule)
    const isAccepted = (difference: string) =>
      [...accepted, ...SEVERAL_FORMATS].some((rule) => difference.startsWith(rule))
    expect((await wrapped).get(name)!.filter((difference) => !isAccepted(difference))).toEqual([])
  })
})

it.each(EXCEPTIONS)('$rule is still an exception where entries are $entries', async ({ rule, entries }) => {
  const found = [...(await wrapped)].filter(([name]) => WRAPPINGS[name]!.entries === entries)
  expect(found.flatMap(([, differences]) => differences).some((one) => one.startsWith(rule))).toBe(true)
})

describe('every rule for PostgreSQL fires as often as on the plain log in', () => {
  it.each(Object.entries(POSTGRES_LOGS))('%s', async (_, write) => {
    const detector = createDetector((await compiled).rules, { source: 'cre.log.postgresql', now: TEST_DAY })
    const wrong = (await logsBySource).get('cre.log.postgresql')!.flatMap((log) => {
      const lines = linesOf(log.bytes).filter(isPostgresLine)
      if (lines.length === 0) return []
      return differences(log, countsOf(detector, encode(lines)), countsOf(detector, encode(write(lines))))
    })
    expect(wrong).toEqual([])
  })
})
