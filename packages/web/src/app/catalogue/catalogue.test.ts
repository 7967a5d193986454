import type { ListedRule } from '@omen/server/api'
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Markdown } from './markdown.js'
import { queryAddress, readQuery, SEVERITIES } from './query-address.js'
import { countValues, EVERYTHING, indexRules, search } from './search.js'

function rule(id: string, more: Partial<ListedRule> = {}): ListedRule {
  return {
    id,
    title: '',
    severity: 2,
    severity_label: 'medium',
    category: '',
    tags: [],
    applications: [],
    cause: '',
    package: 'community',
    ...more,
  }
}

const RULES = [
  rule('CRE-3', {
    title: 'Kafka broker has run out of disk',
    tags: ['kafka', 'disk'],
    severity: 0,
    severity_label: 'critical',
  }),
  rule('CRE-1', { title: 'PostgreSQL has run out of disk space', tags: ['postgresql'], applications: ['PostgreSQL'] }),
  rule('CRE-2', { title: 'Consumer falls behind', applications: ['Apache Kafka'], category: 'queue-problem' }),
  rule('CRE-4', { title: 'Garbage collection', cause: 'The heap of the Kafka client is too small. Ça dépasse.' }),
  rule('OWN-1', { title: 'Checkout', package: 'private' }),
]

const found = (query: Partial<typeof EVERYTHING>) =>
  search(indexRules(RULES), { ...EVERYTHING, ...query }).map(({ id }) => id)

describe('the search', () => {
  test('finds every rule without a search text, the most severe first', () => {
    expect(found({})).toEqual(['CRE-3', 'CRE-1', 'CRE-2', 'CRE-4', 'OWN-1'])
  })

  test.each([
    ['kafka', ['CRE-3', 'CRE-2', 'CRE-4']],
    ['KAFKA disk', ['CRE-3']],
    ['  disk   run ', ['CRE-3', 'CRE-1']],
    ['cre-2', ['CRE-2']],
    ['postgre', ['CRE-1']],
    ['queue', ['CRE-2']],
    ['ca depasse', ['CRE-4']],
    ['kafka nothing', []],
    ['.*', []],
  ])('for %j finds %j, the best match first', (text, ids) => {
    expect(found({ text })).toEqual(ids)
  })

  test('filters by severity, category, tag and origin, also in combination', () => {
    expect(found({ severities: ['critical'] })).toEqual(['CRE-3'])
    expect(found({ category: 'queue-problem' })).toEqual(['CRE-2'])
    expect(found({ tag: 'disk', text: 'kafka' })).toEqual(['CRE-3'])
    expect(found({ tag: 'disk', severities: ['low'] })).toEqual([])
    expect(found({ origin: 'private' })).toEqual(['OWN-1'])
  })

  test('counts the values of a filter, the most frequent first', () => {
    expect(countValues(RULES, ({ tags }) => tags)).toEqual([
      ['disk', 1],
      ['kafka', 1],
      ['postgresql', 1],
    ])
    expect(countValues(RULES, ({ category }) => [category])).toEqual([['queue-problem', 1]])
  })
})

describe('the URL of a search', () => {
  test('contains only the filters that are set', () => {
    expect(queryAddress(EVERYTHING)).toBe('/rules')
    const query = { ...EVERYTHING, text: 'out of disk', severities: ['critical', 'high'], tag: 'kafka' }
    expect(queryAddress(query)).toBe('/rules?q=out+of+disk&severity=critical,high&tag=kafka')
  })

  test('is read back as the same search', () => {
    const text = fc.string({ unit: 'grapheme' })
    const query = fc.record({
      text,
      severities: fc.subarray([...SEVERITIES]),
      category: text,
      tag: text,
      origin: fc.constantFrom('' as const, 'community' as const, 'private' as const),
    })
    fc.assert(
      fc.property(query, (original) => {
        expect(readQuery(new URL(queryAddress(original), 'https://app.example').search)).toEqual(original)
      }),
    )
  })

  test('with invalid values sets no filter', () => {
    expect(readQuery('?severity=urgent,,high&package=theirs&more=1')).toEqual({ ...EVERYTHING, severities: ['high'] })
  })
})

describe('Markdown of a rule', () => {
  const shown = (text: string) =>
    renderToStaticMarkup(createElement(Markdown, { text })).replace(/^<div class="prose">(.*)<\/div>$/s, '$1')

  test.each([
    ['Free some **space** on _it_', '<p>Free some <strong>space</strong> on <em>it</em></p>'],
    ['- `df -h`\n- b', '<ul><li><code>df -h</code></li><li>b</li></ul>'],
    ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['```sh\na < b\n```', '<pre><code>a &lt; b</code></pre>'],
    ['a < b &amp; `c & d`', '<p>a &lt; b &amp; <code>c &amp; d</code></p>'],
    ['# Big', '<p><strong>Big</strong></p>'],
    ['|a|\n|-|\n|b|', '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>'],
  ])('%j is rendered as elements', (text, html) => {
    expect(shown(text)).toBe(html)
  })

  test.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['a <b onclick="x">b</b>', '<p>a &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>'],
    ['[a](javascript:alert(1))', '<p>a</p>'],
    ['[a](data:text/html,x)', '<p>a</p>'],
    ['![a](https://evil.example/a.png)', '<p>![a](https://evil.example/a.png)</p>'],
  ])('%j is rendered as text', (text, html) => {
    expect(shown(text)).toBe(html)
  })

  test('never becomes an element outside of the allowed ones', () => {
    const pieces = fc.constantFrom(
      '<img src=x onerror=a>',
      '[x](',
      ')',
      '`',
      '**',
      '\n',
      '- ',
      '> ',
      '|',
      '&lt;',
      'a',
      '\\',
      '<a href="javascript:a">',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(pieces).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (typed) => {
        const tags = [...shown(typed).matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag]) => tag)
        const allowed = 'div p strong em del code pre ul ol li blockquote a table thead tbody tr th td br hr'.split(' ')
        expect(tags.filter((tag) => !allowed.includes(tag!))).toEqual([])
        expect(shown(typed)).not.toMatch(/<[^>]*(javascript:|onerror=|onclick=)/)
      }),
    )
  })

  test('that is too long or too deeply nested is shown as source text', () => {
    expect(shown('_'.repeat(20_000))).toBe(`<p class="source">${'_'.repeat(20_000)}</p>`)
    const deep = shown(`${'> '.repeat(500)}end`)
    expect(deep).toContain('&gt; end')
    expect(deep.split('<blockquote>').length).toBeLessThan(20)
  })
})
