import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './markdown.js'

const plain = (text: string, columns = 40) => renderMarkdown(text, { columns, colours: false })
const coloured = (text: string, columns = 40) => renderMarkdown(text, { columns, colours: true })

describe('without colours', () => {
  it.each([
    [
      'a paragraph is wrapped',
      'The broker stops when the disk of its log folder is full.',
      'The broker stops when the disk of its\nlog folder is full.',
    ],
    ['lines of a paragraph are joined', 'one\ntwo', 'one two'],
    ['paragraphs are separated by an empty line', 'one\n\n\ntwo', 'one\n\ntwo'],
    ['emphasis is removed', 'a **strong** and *slight* ~~old~~ word', 'a strong and slight old word'],
    ['code keeps its backticks', 'run `df -h`, then wait', 'run `df -h`, then wait'],
    ['a heading is a separate line', '# Cause\ntext', 'Cause\n\ntext'],
    ['a list keeps its dashes', '- one\n- two', '- one\n- two'],
    ['a loose list keeps its empty lines', '- one\n\n- two', '- one\n\n- two'],
    [
      'an item of a list is wrapped with an indent',
      '- the first thing to do is to free some disk space',
      '- the first thing to do is to free some\n  disk space',
    ],
    ['a list can be nested', '- one\n  - two\n    - three\n- four', '- one\n  - two\n    - three\n- four'],
    ['numbers of a list are aligned', '9. nine\n10. ten', ' 9. nine\n10. ten'],
    ['an item of a list may have several paragraphs', '1. one\n\n   more\n2. two', '1. one\n\n   more\n\n2. two'],
    ['code in a list is indented', '- run\n  ```sh\n  df -h\n  ```', '- run\n      df -h'],
    ['tasks', '- [x] done\n- [ ] open', '- [x] done\n- [ ] open'],
    ['a list can be nested with tabs', '- one\n\t- two', '- one\n  - two'],
    [
      'a link is followed by its address',
      'see [the manual](https://example.com/a)',
      'see the manual (https://example.com/a)',
    ],
    [
      'a link whose text is its address is shown once',
      '<https://example.com> https://example.org',
      'https://example.com https://example.org',
    ],
    ['an e-mail address is shown without brackets', '<a@example.com>', 'a@example.com'],
    ['an image is shown as its text and address', '![the graph](graph.png)', 'the graph (graph.png)'],
    ['a link without text is shown as its address', '[](https://example.com)', 'https://example.com'],
    ['a quote is marked on every line', '> it was\n> full', '> it was full'],
    ['a thematic break is a line of dashes', 'a\n\n---\n\nb', `a\n\n${'-'.repeat(40)}\n\nb`],
    ['a table is aligned', '| a | b |\n|---|--:|\n| one | 2 |', 'a    b\none  2'],
    ['a placeholder in angle brackets is kept', 'use --topic <name> here', 'use --topic <name> here'],
    ['a comment is removed', 'a <!-- note --> b\n\n<!-- more -->', 'a b'],
    ['hard line breaks are kept', 'a<br>b  \nc', 'a\nb\nc'],
    ['HTML is shown unchanged', '<div>\ntext\n</div>', '<div>\ntext\n</div>'],
    ['character references are decoded', 'a &lt; b &amp;&amp; c &#8594; d &nope;', 'a < b && c → d &nope;'],
    ['escaped punctuation is shown', '\\*not slight\\*', '*not slight*'],
    ['nothing', '', ''],
  ])('%s', async (_, text, expected) => {
    expect(await plain(text)).toBe(expected)
  })

  it('a command is never wrapped', async () => {
    const command = 'kafka-topics --bootstrap-server localhost:9092 --describe --topic orders'
    expect(await plain(`Run \`${command}\` first.`)).toBe(`Run\n\`${command}\`\nfirst.`)
    expect(await plain(`\`\`\`sh\n${command}\n\n# then\n\`\`\``)).toBe(`    ${command}\n\n    # then`)
  })
})

describe('with colours', () => {
  it.each([
    ['code', 'run `df -h`, now', 'run \u001b[36mdf -h\u001b[39m, now'],
    ['emphasis', '**a b**', '\u001b[1ma\u001b[22m \u001b[1mb\u001b[22m'],
    ['a heading is bold', '# Cause', '\u001b[1mCause\u001b[22m'],
    ['a list has dimmed bullets', '- one', '\u001b[2m•\u001b[22m one'],
    ['an address is underlined', '<https://example.com>', '\u001b[4mhttps://example.com\u001b[24m'],
  ])('%s', async (_, text, expected) => {
    expect(await coloured(text)).toBe(expected)
  })
})

describe('hostile text', () => {
  it('cannot control the terminal', async () => {
    const text = 'a\u001b]0;owned\u0007 &#27;[2J `\u001b[2J` [x](\u001b[31m)\n\n```\n\u009b2J\n```'
    expect(await plain(text)).toBe('a␛]0;owned␇ ␛[2J `␛[2J` x\n\n    \ufffd2J')
    expect((await coloured(text)).split('\u001b').slice(1)).toEqual([
      '[36m␛[2J',
      '[39m x\n\n    ',
      '[36m\ufffd2J',
      '[39m',
    ])
  })

  it.each([
    ['quotes', '> '.repeat(5000)],
    ['lists', '- '.repeat(5000)],
    ['numbers', '1. '.repeat(4000)],
    ['brackets', '['.repeat(15_000)],
    ['stars', '*a **b '.repeat(2000)],
    ['underscores', '_a'.repeat(7500)],
    ['a megabyte', 'word '.repeat(200_000)],
    ['lists', Array.from({ length: 120 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
  ])('with nested %s is shown', async (_, text) => {
    const letters = (written: string) => written.replaceAll(/[^a-z]/g, '')
    expect(letters(await plain(`${text}end`))).toContain(letters(`${text}end`).slice(-100))
  })

  it('is always safe to print', async () => {
    const part = fc.constantFrom(
      '\u001b[2J',
      '&#27;',
      '`',
      '```\n',
      '**',
      '> ',
      '- ',
      '1. ',
      '\n',
      '\n\n',
      '[a](b)',
      '<b>',
      '|a|b|\n|-|-|\n',
      '\t',
      'text ',
      '日本',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 30 }), fc.integer({ min: 1, max: 60 }), async (parts, columns) => {
        const rendered = await plain(parts.join(''), columns)
        expect(rendered.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
      }),
    )
  })
})
