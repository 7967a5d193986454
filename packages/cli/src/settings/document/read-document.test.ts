import { describe, expect, test } from 'vitest'
import { Failure } from '../../failure.js'
import { createFindings, throwErrors } from './findings.js'
import { readDocument } from './read-document.js'
import { decodeText } from './read-small-file.js'
import type { Keys } from './shape.js'

const KEYS = {
  name: { shape: { is: 'text' }, about: 'a name' },
  note: { shape: { is: 'prose' }, about: 'a note' },
  open: { shape: { is: 'boolean' }, about: 'whether it is open' },
  size: { shape: { is: 'integer', from: 1, to: 5000 }, about: 'how large it is' },
  wait: { shape: { is: 'duration' }, about: 'how long to wait' },
  home: { shape: { is: 'path' }, about: 'where it lives' },
  link: { shape: { is: 'url' }, about: 'where it leads', secret: true },
  release: { shape: { is: 'version' }, about: 'which one' },
  colour: { shape: { is: 'choice', of: ['red', 'green'] }, about: 'its colour' },
  tags: { shape: { is: 'list', of: { is: 'text' } }, about: 'words', mistakenFor: ['labels'] },
  keys: { shape: { is: 'list', of: { is: 'public-key' } }, about: 'keys' },
  door: {
    shape: {
      is: 'map',
      keys: {
        width: { shape: { is: 'integer', from: 1, to: 9 }, about: 'its width' },
        handle: { shape: { is: 'text' }, about: 'its handle' },
      },
    },
    about: 'the door',
  },
  times: {
    shape: {
      is: 'list',
      of: {
        is: 'map',
        keys: {
          pattern: { shape: { is: 'time-pattern' }, about: 'where', required: true },
          format: { shape: { is: 'time-format' }, about: 'how', required: true },
        },
      },
    },
    about: 'times',
  },
} as const satisfies Keys

async function read(text: string) {
  const findings = createFindings('f.yaml', text)
  const document = await readDocument(text, KEYS, { findings, resolve: (path) => `/base/${path}` })
  return { document, problems: findings.errors(), warnings: findings.warnings() }
}

const problemsOf = async (text: string) => (await read(text)).problems
const warningsOf = async (text: string) => (await read(text)).warnings

test('reads every shape', async () => {
  const { document, problems, warnings } = await read(`
name: web
note: |
  two
  lines
open: true
size: 12
wait: 1d12h
home: sub/dir
link: https://example.com/x
release: v1.4.0-rc.1
colour: green
tags: [a, 502, true]
door:
  width: 3
times:
  - pattern: '^\\[(.+?)\\]'
    format: '2006-01-02 15:04:05,000'
`)
  expect(problems).toEqual([])
  expect(warnings).toEqual([])
  expect(document?.value).toEqual({
    name: 'web',
    note: 'two\nlines\n',
    open: true,
    size: 12,
    wait: 129_600_000_000_000n,
    home: '/base/sub/dir',
    link: 'https://example.com/x',
    release: '1.4.0-rc.1',
    colour: 'green',
    tags: ['a', '502', 'true'],
    keys: undefined,
    door: { width: 3, handle: undefined },
    times: [{ pattern: '^\\[(.+?)\\]', format: '2006-01-02 15:04:05,000' }],
  })
  expect(document?.places.get('door.width')).toBeGreaterThan(0)
})

test.each(['', '\n', '# only a comment\n', '---\n', 'name:\ndoor: ~\n', 'null\n'])('%j sets nothing', async (text) => {
  const { document, problems, warnings } = await read(text)
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] })
  expect(Object.values(document!.value).every((value) => value === undefined)).toBe(true)
})

test('reads JSON', async () => {
  const { document } = await read('{"name": "web", "door": {"width": 2}, "tags": ["a"]}')
  expect(document?.value).toMatchObject({ name: 'web', door: { width: 2 }, tags: ['a'] })
})

test('reads a single string as a list of one', async () => {
  expect((await read('tags: one')).document?.value.tags).toEqual(['one'])
})

describe('an invalid value is reported with its position and the expected type', () => {
  test.each([
    ['open: yes', '1:7: open must be true or false, not the string "yes"'],
    ['open: "true"', '1:7: open must be true or false, not the string "true"'],
    ['open: 1', '1:7: open must be true or false, not 1'],
    ['size: many', '1:7: size must be a whole number from 1 to 5,000, not the string "many"'],
    ['size: 0', '1:7: size must be a whole number from 1 to 5,000, not 0'],
    ['size: 1.5', '1:7: size must be a whole number from 1 to 5,000, not 1.5'],
    ['size: .inf', '1:7: size must be a whole number from 1 to 5,000, not .inf'],
    [
      'size: [1]',
      '1:7: size must be a whole number from 1 to 5,000, not a list: put a string that starts with [ in quotes',
    ],
    ['wait: 5', '1:7: wait has no unit: write 5s for seconds, 5m for minutes'],
    ['wait: soon', '1:7: wait must be a duration such as 5s, 10m or 1h30m, not the string "soon"'],
    ['wait: -5s', '1:7: wait must be a duration such as 5s, 10m or 1h30m, not the string "-5s"'],
    ['name: ""', '1:7: name must be a string in one line, not an empty string'],
    ['name: "a\\nb"', '1:7: name must be a string in one line, not the string "a\\nb"'],
    ['name: "\\x9b31m"', '1:7: name must be a string in one line, not the string "\\u{9b}31m"'],
    ['home: ""', '1:7: home must be a path, not an empty string'],
    ['home: "a\\0b"', '1:7: home must be a path, not the string "a\\u0000b"'],
    ['release: latest', '1:10: release must be a version such as 1.4.0, not the string "latest"'],
    ['release: 1.4', '1:10: release must be a version such as 1.4.0, not 1.4'],
    ['colour: gren', '1:9: colour must be one of red, green, not "gren": did you mean "green"?'],
    ['colour: blue', '1:9: colour must be one of red, green, not "blue"'],
    ['tags: {a: b}', '1:7: tags must be a list, not a map: put a dash before its first key'],
    ['tags: [a, ~]', '1:11: tags[1] is empty: remove the dash, or write a value after it'],
    [
      'tags:\n  - a\n  - [b]',
      '3:5: tags[1] must be a string in one line, not a list: put a string that starts with [ in quotes',
    ],
    ['door: 3', '1:7: door must be a map such as {width: …, handle: …}, not a single value'],
    ['door: [3]', '1:7: door must be a map such as {width: …, handle: …}, not a list'],
    ['times: {pattern: a, format: unix}', '1:8: times must be a list, not a map: put a dash before its first key'],
    ['times: [{pattern: a}]', '1:9: times[0] needs "format": how'],
    ['times: [{pattern: "(", format: unix}]', '1:19: times[0].pattern cannot be used: missing closing )'],
    ['keys: "-----BEGIN PRIVATE KEY-----"', '1:7: keys is a private key: use the public key'],
    ['keys: "-----BEGIN PUBLIC KEY-----"', '1:7: keys is incomplete: -----END PUBLIC KEY----- is missing'],
    ['- a', '1:1: the file must be a map of keys (name, note, open …), not a list'],
    ['some words', '1:1: the file must be a map of keys (name, note, open …), not a string'],
    ['name: a\n---\nname: b', '3:1: a second document: the file must have only one, so remove the --- before this'],
    ['name: a\nname: b', '2:1: the key "name" occurs twice in one map'],
  ])('%j', async (text, message) => {
    expect(await problemsOf(`${text}\n`)).toEqual([`f.yaml:${message}`])
  })

  test('an unknown time format is reported with the known ones', async () => {
    const [problem] = await problemsOf('times: [{pattern: a, format: nonsense}]\n')
    expect(problem).toMatch(
      /^f\.yaml:1:30: times\[0\]\.format cannot be used: "nonsense" is not a time format: .*rfc3339/,
    )
  })

  test('all errors are reported at once, in the order of the file', async () => {
    expect(await problemsOf('size: 0\nopen: maybe\ndoor:\n  width: 99\n')).toEqual([
      'f.yaml:1:7: size must be a whole number from 1 to 5,000, not 0',
      'f.yaml:2:7: open must be true or false, not the string "maybe"',
      'f.yaml:4:10: door.width must be a whole number from 1 to 9, not 99',
    ])
  })
})

describe('a YAML syntax error comes with a hint', () => {
  test.each([
    ['name: *', '1:7: not valid YAML: put a value that starts with * in quotes, such as "*"'],
    ['name: */app.log', '1:7: not valid YAML: put a value that starts with * in quotes, such as "*"'],
    ['name: @app', '1:7: not valid YAML: put a value that starts with @, ` or % in quotes'],
    ['name: "\\d+"', '1:8: not valid YAML: a backslash is special in double quotes: use single quotes'],
    ['door:\n\twidth: 1', '2:1: not valid YAML: indent with spaces, not tabs'],
    [
      'name: [a-z]+ (.*)',
      '1:12: not valid YAML: close the list or map with ] or }, or put a string that starts with [ or { in quotes',
    ],
    ['name: -', '1:7: not valid YAML: start a list on a new line, and put a single - in quotes'],
    ['name: !env HOME', '1:12: not valid YAML: tags such as !!str are not supported: remove the tag'],
    ['door:\n  width: 1\n handle: x', '3:1: not valid YAML: start all keys of a map in the same column'],
  ])('%j', async (text, message) => {
    expect(await problemsOf(`${text}\n`)).toEqual([`f.yaml:${message}`])
  })

  test('a missing space after a colon', async () => {
    expect(await problemsOf('door:\n  handle: x\n  width:3\n')).toContain(
      'f.yaml:3:3: not valid YAML: put a space after the colon',
    )
  })
})

describe('an unknown key', () => {
  test.each([
    ['nmae: x', '1:1: unknown key "nmae": did you mean "name"?'],
    ['dor: {width: 1}', '1:7: unknown key "dor.width": did you mean "door.width"?'],
    ['dor: {widht: 1}', '1:7: unknown key "dor.widht": did you mean "door.width"?'],
    ['dor: {zzz: 1}', '1:7: unknown key "dor.zzz": it is ignored'],
    ['dor: 1', '1:1: unknown key "dor": did you mean "door"?'],
    ['door: {widht: 1}', '1:8: unknown key "door.widht": did you mean "door.width"?'],
    ['door.width: 1', '1:1: unknown key "door.width": write it as nested keys: door: {width: …}'],
    ['handle: x', '1:1: unknown key "handle": did you mean "door.handle"?'],
    ['labels: [x]', '1:1: unknown key "labels": did you mean "tags"?'],
    ['Open: true', '1:1: unknown key "Open": did you mean "open"?'],
    ['door: {hinge: 1}', '1:8: unknown key "door.hinge": it is ignored; known keys: width, handle'],
    ['__proto__: 1', /^f\.yaml:1:1: unknown key "__proto__": it is ignored; known keys: name/],
    ['constructor: {a: 1}', /^f\.yaml:1:1: unknown key "constructor": it is ignored/],
    ['"\\e[31m": 1', /^f\.yaml:1:1: unknown key "\\u001b\[31m": it is ignored/],
  ])('in %j is a warning', async (text, message) => {
    const { document, problems, warnings } = await read(`${text}\n`)
    expect(problems).toEqual([])
    expect(document).toBeDefined()
    expect(warnings).toEqual([typeof message === 'string' ? `f.yaml:${message}` : expect.stringMatching(message)])
  })

  test('is also reported in lists', async () => {
    const text = 'times:\n  - pattern: a\n    format: unix\n    fromat: x\n'
    expect(await warningsOf(text)).toEqual(['f.yaml:4:5: unknown key "fromat": did you mean "format"?'])
  })

  test('is reported together with errors, because it is often their cause', async () => {
    expect(await problemsOf('times:\n  - pattern: a\n    fromat: unix\n')).toEqual([
      'f.yaml:2:5: times[0] needs "format": how',
      'f.yaml:3:5: unknown key "fromat": did you mean "format"?',
    ])
  })

  test('is shown up to a hundred times, and the others are counted', async () => {
    const text = Array.from({ length: 300 }, (_, i) => `- {pattern: a, format: unix, zz${i}: 1}`).join('\n')
    const warnings = await warningsOf(`times:\n${text}\n`)
    expect(warnings).toHaveLength(101)
    expect(warnings.at(-1)).toBe('f.yaml: 200 more findings are not shown')
  })
})

describe('a secret is never repeated', () => {
  test.each([
    'link: hooks.example.com/SECRET',
    'colour: https://example.com/SECRET',
    'open: https://example.com/SECRET',
    'times: https://example.com/SECRET',
    'link: ftp://example.com/SECRET',
    'link: "https:// SECRET"',
    'link: !!int https://example.com/SECRET',
    'link:https://example.com/SECRET',
    'link: "https://example.com/SECRET',
    'link: https://example.com/a: SECRET',
    'door: https://example.com/SECRET',
    'link: [https://example.com/SECRET]',
    'link: >https://example.com/SECRET',
    'link: |https://example.com/SECRET',
    'link: *https://example.com/SECRET',
    'size: 0\ndoor: {https://example.com/SECRET}',
    'size: 0\nhttps://example.com/SECRET: {a: 1}',
    'link: %https://example.com/SECRET',
    '%SECRET',
    '- link: a\n https://example.com/SECRET',
    '{link: https://example.com/SECRET',
    "link: 'https://example.com/SECRET",
  ])('%j', async (text) => {
    const problems = await problemsOf(`${text}\n`)
    expect(problems.length).toBeGreaterThan(0)
    expect(problems.join('\n')).not.toContain('SECRET')
  })
})

describe('bytes that are not valid text', () => {
  const decode = (...bytes: number[]) => decodeText(Uint8Array.from(bytes))

  test('a byte order mark is dropped', () => {
    expect(decode(0xef, 0xbb, 0xbf, 0x61)).toEqual({ text: 'a' })
  })

  test('invalid UTF-8 is found after a replacement character in the file', () => {
    expect(decode(0x61, 0xef, 0xbf, 0xbd, 0x0a, 0xe9, 0x62).problem).toEqual({
      at: 3,
      message: 'not valid UTF-8: save the file as UTF-8',
    })
  })

  test('a NUL byte is reported with its position', () => {
    expect(decode(0x61, 0x3a, 0x00).problem).toEqual({ at: 2, message: 'contains a NUL byte: not a text file' })
  })
})

test('errors become one failure with a line for each', () => {
  expect(() => throwErrors('Config', [])).not.toThrow()
  expect(() => throwErrors('Config', ['a', 'b'])).toThrow(new Failure('Config', 'a\nb'))
})

test('a file with a hundred thousand errors is reported quickly', async () => {
  const problems = await problemsOf(`tags:\n${'- [1]\n'.repeat(100_000)}`)
  expect(problems).toHaveLength(101)
  expect(await problemsOf(`${'[{'.repeat(10_000)}`)).not.toEqual([])
  expect(await problemsOf('a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\ntags: [*c, *c]\n')).not.toEqual([])
})
