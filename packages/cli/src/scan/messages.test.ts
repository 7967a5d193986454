import { describe, expect, it } from 'vitest'
import type { Screen } from '../console/screen.js'
import type { Source } from '../sources/source.js'
import { createScanMessages, createScanWarnings } from './messages.js'

function start(sources: readonly Source[], inOrder = true) {
  const printed: string[] = []
  const err: Screen = { isTerminal: false, colours: false, columns: 80, write: (text) => void printed.push(text) }
  const warn = (message: string) => void printed.push(`Warning: ${message}\n`)
  return { printed, messages: createScanMessages({ err, warn }, sources, { inOrder }) }
}

const source = (name: string, more: Partial<Source> = {}): Source => {
  return { name, type: '*', window: undefined, files: [], ...more }
}
const containers = ['a', 'b', 'c'].map((pod) =>
  source(`shop/${pod}/app`, { stage: 'deployment/web', labels: { namespace: 'shop', pod, container: 'app' } }),
)

describe('a message about the sources of a scan', () => {
  it('is printed in their order, whatever the order in which they were read', () => {
    const { printed, messages } = start([source('a.log'), source('b.log')])
    messages.problem(1, 'b.log: no such file')
    messages.warn(0, 'no timestamp found')
    expect(printed).toEqual([])
    messages.end()
    expect(printed).toEqual(['Warning: a.log: no timestamp found\n', 'Data error: b.log: no such file\n'])
    expect([messages.hasFailed(0), messages.hasFailed(1), messages.failed]).toEqual([false, true, true])
  })

  it('is printed once for all containers that share a progress line', () => {
    const { printed, messages } = start(containers)
    for (const [index, { name }] of containers.entries()) messages.problem(index, `${name}: no permission`)
    for (const index of [0, 1]) messages.warn(index, 'its log is gone')
    messages.end()
    expect(printed).toEqual([
      'Data error: shop/a/app: no permission\n',
      'Warning: shop/a/app: its log is gone\n',
      'Data error: deployment/web: the same in 2 more containers\n',
      'Warning: deployment/web: the same in 1 more container: its log is gone\n',
    ])
    expect(messages.hasFailed(2)).toBe(true)
  })

  it('is printed for each file if the messages differ', () => {
    const { printed, messages } = start(
      ['a.log', 'b.log'].map((name) => source(name, { stage: 'logs' })),
      false,
    )
    messages.problem(0, 'a.log: no such file')
    messages.problem(1, 'b.log: no such file')
    expect(printed).toEqual(['Data error: a.log: no such file\n', 'Data error: b.log: no such file\n'])
  })
})

describe('a warning of a scan', () => {
  function warnWith(strict: boolean) {
    const printed: [message: string, always: boolean | undefined][] = []
    const warnings = createScanWarnings((message, options) => void printed.push([message, options?.always]), { strict })
    warnings.warn('app.log: no timestamp found', 'data')
    warnings.warn('CRE-2026-0001: the jq filter is switched off', 'rule')
    return { printed, count: warnings.count }
  }

  it('is printed with -q only if it is about a rule', () => {
    expect(warnWith(false).printed.map(([, always]) => always)).toEqual([false, true])
  })

  it('is always printed with --strict, because it decides the exit code', () => {
    expect(warnWith(true)).toMatchObject({
      printed: [
        [expect.anything(), true],
        [expect.anything(), true],
      ],
      count: 2,
    })
  })
})
