import fc from 'fast-check'
import { KEYS } from '../../src/index.js'

type Json = string | number | boolean | Json[] | { [key: string]: Json }

/** A document that uses most of the language. A mutation may or may not make it invalid. */
const WHOLE: Json = {
  terms: { lost: { regex: 'lost .* link', count: 2 }, back: { value: 'up again', window: '10s' } },
  rules: [
    {
      cre: {
        id: 'TEST-0001',
        severity: 1,
        title: 'A link is lost',
        tags: ['network'],
        mitigation: ['wait', 'ask'],
        impactScore: 7,
        references: 'https://example.com',
        applications: [{ name: 'switch', version: 3.2 }],
      },
      metadata: { id: '8Vx2aTfbHXQxKd', gen: 1 },
      rule: {
        set: {
          event: { source: 'cre.log.switch' },
          window: '5m',
          match: ['lost', { jq: '.port > 3', count: 2, extract: [{ name: 'port', jq: '.port' }] }],
          negate: ['back', { regex: 'link \\d+ up', window: '1m', slide: '-5s', anchor: 1, absolute: true }],
        },
      },
    },
    {
      cre: { id: 'TEST-0002' },
      rule: {
        sequence: { event: { source: 'cre.log.switch' }, window: '10s', order: [{ value: 'a', count: 2 }, 'b'] },
      },
    },
    { cre: { id: 'TEST-0003' }, rule: { set: { event: { source: 'x' }, match: [{ regex: 'alone' }] } } },
  ],
}

const VALUES: readonly Json[] = [
  ...['', 'x', 'lost', '5s', '-5s', '0s', '.5h', '5 parsecs', 'TEST-0009', 'version', '1.2.3', ' '],
  ...[0, 1, 2, 5, -1, 2.5, 200_000, true, false],
  ...[[], ['x'], ['x', 'y'], [['x']], {}, { value: 'x' }, { regex: 'x', count: 3 }, { name: 'x', regex: 'y' }, [{}]],
  ...[{ source: 'x' }, [{ name: 'x', jq: '.' }], [{ version: '1.2.3' }]],
]

const NAMES = [...new Set(Object.values(KEYS).flatMap((keys) => Object.keys(keys))), 'valeu', 'note']

/** Every map and list of a document. */
function placesIn(node: Json): (Json[] | { [key: string]: Json })[] {
  if (typeof node !== 'object') return []
  return [node, ...Object.values(node).flatMap(placesIn)]
}

interface Change {
  readonly place: number
  readonly operation: 'add' | 'remove' | 'replace'
  readonly index: number
  readonly name: string
  readonly value: Json
}

function apply(document: Json, { place, operation, index, name, value }: Change): Json {
  const copy = structuredClone(document)
  const places = placesIn(copy)
  const target = places[place % places.length]!
  const keys = Object.keys(target)
  const key = keys[index % Math.max(1, keys.length)]
  if (operation === 'add' || key === undefined) {
    if (Array.isArray(target)) target.push(structuredClone(value))
    else target[name] = structuredClone(value)
  } else if (operation === 'replace') (target as Record<string, Json>)[key] = structuredClone(value)
  else if (Array.isArray(target)) target.splice(Number(key), 1)
  else delete target[key]
  return copy
}

const change: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(1000),
  operation: fc.constantFrom('add', 'remove', 'replace'),
  index: fc.nat(1000),
  name: fc.constantFrom(...NAMES),
  value: fc.constantFrom(...VALUES),
})

/** The document with one to three changes, each at a random place. */
export const changedDocument = fc
  .array(change, { minLength: 1, maxLength: 3 })
  .map((changes) => changes.reduce<Json>((document, one) => apply(document, one), WHOLE))
