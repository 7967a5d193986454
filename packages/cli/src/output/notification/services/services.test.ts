import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NOTIFICATION_TYPES, type NotificationType } from '../../../settings/settings.js'
import { fit, type NotificationMessage, type NotifiedProblem } from '../message.js'
import { SERVICES } from './services.js'

const now = new Date('2026-03-01T12:00:00Z')
const first = '2026-03-01T11:59:01.25+01:00'
const problems: NotifiedProblem[] = [
  { id: 'CRE-2026-0001', severity: 'critical', title: 'Kafka lost its leader', hits: 3, first },
  { id: 'ACME-7', severity: 'low', hits: 1, first },
]
const message: NotificationMessage = { prefix: 'nightly: ', host: 'web-1', problems, reportName: 'report.json' }

/** The sent message, parsed as the service would. */
function sent(type: NotificationType, given: Partial<NotificationMessage> = {}) {
  return JSON.parse(JSON.stringify(SERVICES[type].payload({ ...message, ...given }, now)))
}

/** A problem with hostile text in each field. */
function hostile(title: string): Partial<NotificationMessage> {
  return { problems: [{ ...problems[0]!, title }] }
}

const many = (count: number, title = 'A title of a usual length'): Partial<NotificationMessage> => ({
  problems: Array.from({ length: count }, (_, index) => ({ ...problems[0]!, id: `CRE-2026-${1000 + index}`, title })),
})

describe('a message has a heading and a line for each problem', () => {
  const lines = [
    '🔴 *CRE-2026-0001* critical Kafka lost its leader [3 hits @ 2026-03-01T11:59:01.25+01:00]',
    '🔵 *ACME-7* low [1 hit @ 2026-03-01T11:59:01.25+01:00]',
  ]

  test('slack', () => {
    const text = ['*nightly: 2 problems on web-1*', ...lines, 'Report: report.json'].join('\n')
    expect(sent('slack')).toEqual({
      text,
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }],
      unfurl_links: false,
      unfurl_media: false,
    })
  })

  test('mattermost', () => {
    expect(sent('mattermost')).toEqual({
      text: `**nightly: 2 problems on web-1**\n\n- ${lines.join('\n- ').replaceAll('*', '**')}\n\nReport: report.json`,
    })
  })

  test('discord', () => {
    expect(sent('discord')).toEqual({
      content: '**nightly: 2 problems on web-1**',
      embeds: [
        {
          description: lines.join('\n').replaceAll('*', '**'),
          color: 0xd92d20,
          footer: { text: 'Report: report.json' },
        },
      ],
      allowed_mentions: { parse: [] },
    })
  })

  test('teams', () => {
    const { type, attachments } = sent('teams')
    expect(type).toBe('message')
    expect(attachments).toHaveLength(1)
    expect(attachments[0].contentType).toBe('application/vnd.microsoft.card.adaptive')
    const { body, ...card } = attachments[0].content
    expect(card).toEqual({
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      msteams: { width: 'Full' },
    })
    expect(body).toEqual([
      {
        type: 'RichTextBlock',
        inlines: [{ type: 'TextRun', text: 'nightly: 2 problems on web-1', weight: 'Bolder', size: 'Medium' }],
      },
      {
        type: 'RichTextBlock',
        inlines: [
          { type: 'TextRun', text: 'CRE-2026-0001', weight: 'Bolder' },
          { type: 'TextRun', text: ' critical', color: 'Attention' },
          { type: 'TextRun', text: ' Kafka lost its leader [3 hits @ 2026-03-01T11:59:01.25+01:00]' },
        ],
      },
      {
        type: 'RichTextBlock',
        inlines: [
          { type: 'TextRun', text: 'ACME-7', weight: 'Bolder' },
          { type: 'TextRun', text: ' low', color: 'Accent' },
          { type: 'TextRun', text: ' [1 hit @ 2026-03-01T11:59:01.25+01:00]' },
        ],
      },
      {
        type: 'RichTextBlock',
        inlines: [{ type: 'TextRun', text: 'Report: report.json', isSubtle: true, size: 'Small' }],
      },
    ])
  })

  test('without a prefix it begins with the name of the tool; a prefix is followed by a space', () => {
    const heading = (prefix: string) => sent('discord', { prefix }).content
    expect(heading('')).toBe('**omen: 2 problems on web-1**')
    expect(heading('nightly:')).toBe('**nightly: 2 problems on web-1**')
    expect(heading('  ')).toBe('**omen: 2 problems on web-1**')
    expect(sent('discord', { prefix: 'x ', problems: [problems[0]!] }).content).toBe('**x 1 problem on web-1**')
  })
})

describe('a title is always plain text', () => {
  test('slack: mentions, links, emphasis and code are plain text', () => {
    const { text, blocks } = sent(
      'slack',
      hostile('<!channel> <https://x.example|y> *b* _i_ ~s~ `c` @here snake_case & https://x.example'),
    )
    expect(text).toContain(
      '&lt;!channel&gt; &lt;https:\u200b//x.example|y&gt; ∗b∗ ˍiˍ ∼s∼ ˋcˋ @\u200bhere snake_case &amp; https:\u200b//x.example',
    )
    expect(blocks[0].text.text).toBe(text)
    expect(text).not.toMatch(/[<>]/)
  })

  test('mattermost: mentions, links, images, emphasis and code are plain text', () => {
    const { text } = sent(
      'mattermost',
      hostile('@channel [a](http://x.example) ![b](c) **d** `e` ~town-square | # www.x.example'),
    )
    expect(text).toContain(
      '@\u200bchannel \\[a\\](http:\u200b//x.example) !\\[b\\](c) \\*\\*d\\*\\* \\`e\\` \\~town-square \\| \\# www\u200b.x.example',
    )
  })

  test('discord: mentions are disabled, and markup is plain text', () => {
    const { embeds, allowed_mentions } = sent(
      'discord',
      hostile('@everyone <@123> <#1> [a](http://x.example) ||hidden|| \\'),
    )
    expect(allowed_mentions).toEqual({ parse: [] })
    expect(embeds[0].description).toContain(
      '@\u200beveryone \\<@\u200b123\\> \\<\\#1\\> \\[a\\](http:\u200b//x.example) \\|\\|hidden\\|\\| \\\\ [3 hits',
    )
  })

  test('teams: all text is in text runs, which do not interpret markup', () => {
    const title = '<at>all</at> **b** [a](http://x.example) `c`'
    const { attachments } = sent('teams', hostile(title))
    const blocks = attachments[0].content.body as { type: string; inlines: { type: string; text: string }[] }[]
    expect(new Set(blocks.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']))
    expect(blocks[1]!.inlines[2]!.text).toBe(` ${title} [3 hits @ 2026-03-01T11:59:01.25+01:00]`)
    expect(attachments[0].content.msteams.entities).toBeUndefined()
  })

  test('line breaks, control characters and direction marks are removed, and long titles are cut', () => {
    const title = `a\r\nb\u2028c\u0000d\u202ee\u200bf\tg ${'x'.repeat(500)}`
    const shown = sent('discord', hostile(title)).embeds[0].description
    expect(shown).toMatch(/^🔴 \*\*CRE-2026-0001\*\* critical a b c def g x+… \[3 hits @ \S+\]$/)
    expect(shown.length).toBeLessThan(320)
  })

  test('the prefix and the host are plain text as well', () => {
    const given = { prefix: '<!here>\n@all: ', host: '<@U1>' }
    expect(sent('slack', given).text).toMatch(/^\*&lt;!here&gt; @\u200ball: 2 problems on &lt;@\u200bU1&gt;\*\n/)
    expect(sent('discord', given).content).toBe('**\\<!here\\> @\u200ball: 2 problems on \\<@\u200bU1\\>**')
  })
})

describe('a message stays within the limits of its service', () => {
  const longest = (type: NotificationType, given: Partial<NotificationMessage>): void => {
    const payload = sent(type, given)
    const json = JSON.stringify(payload)
    const checks: Record<NotificationType, () => void> = {
      slack() {
        expect(payload.text.length).toBeLessThanOrEqual(4000)
        expect(payload.blocks.length).toBeLessThanOrEqual(50)
        for (const block of payload.blocks) expect(block.text.text.length).toBeLessThanOrEqual(3000)
        expect(JSON.stringify(payload.blocks).length).toBeLessThanOrEqual(13_000)
      },
      mattermost: () => expect(payload.text.length).toBeLessThanOrEqual(16_383),
      discord() {
        expect(payload.content.length).toBeLessThanOrEqual(2000)
        expect(payload.embeds).toHaveLength(1)
        const { description, footer = { text: '' } } = payload.embeds[0]
        expect(description.length).toBeLessThanOrEqual(4096)
        expect(footer.text.length).toBeLessThanOrEqual(2048)
        expect(description.length + footer.text.length).toBeLessThanOrEqual(6000)
      },
      teams() {
        expect(json.length * 2).toBeLessThanOrEqual(28_000)
        expect(Buffer.byteLength(json)).toBeLessThanOrEqual(28_000)
      },
      webhook: () => expect(payload.problems).toHaveLength(given.problems?.length ?? problems.length),
    }
    checks[type]()
  }

  const hostile = fc.oneof(
    fc.string({ maxLength: 400 }),
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc
      .array(fc.constantFrom('&', '*', '<', '@', '://', '"', '\\', '漢', '😀', '\n'), { maxLength: 300 })
      .map((all) => all.join('')),
  )
  const anyMessage = fc.record({
    prefix: hostile,
    host: hostile,
    reportName: hostile,
    problems: fc
      .array(fc.record({ title: hostile, severity: fc.constantFrom('critical', 'info', 'unknown'), id: hostile }), {
        minLength: 1,
      })
      .chain((some) => fc.nat(40).map((times) => Array.from({ length: times + 1 }, () => some).flat()))
      .map((all) => all.map((each) => ({ ...each, hits: 1, first }))),
  })

  test.each(NOTIFICATION_TYPES)('%s, whatever the rules say', (type) => {
    fc.assert(fc.property(anyMessage, (given) => longest(type, given)))
  })

  test.each(NOTIFICATION_TYPES)('%s, with a thousand problems', (type) => {
    longest(type, many(1000))
    if (type === 'webhook') return
    const json = JSON.stringify(sent(type, many(1000)))
    const shown = new Set(json.match(/CRE-2026-\d+/g)).size
    const left = Number(/… and (\d+) more/.exec(json)?.[1])
    expect(shown).toBeGreaterThan(25)
    if (type !== 'slack') expect(shown + left).toBe(1000)
  })

  test('a message that fits has all problems and no count of others', () => {
    for (const type of NOTIFICATION_TYPES) {
      const json = JSON.stringify(sent(type, many(20)))
      expect(json).toContain('CRE-2026-1019')
      expect(json).not.toContain('more')
    }
  })

  test('fit returns all items, or those that leave space for the last line', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 20 }))
    fc.assert(
      fc.property(sizes, fc.nat(100), fc.nat(20), (items, limit, reserve) => {
        const shown = fit(items, limit, (size) => size, reserve)
        const sum = (part: readonly number[]) => part.reduce((total, size) => total + size, 0)
        if (sum(items) <= limit) return shown.length === items.length
        const isAsLongAsPossible = sum(items.slice(0, shown.length + 1)) + reserve > limit
        return isAsLongAsPossible && (shown.length === 0 || sum(shown) + reserve <= limit)
      }),
    )
  })
})
