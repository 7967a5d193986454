import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEmulator } from '../../../test/emulator.js'
import type { Screen } from '../screen.js'
import { createProgress } from './progress.js'

interface ProgressOptions {
  readonly isTerminal?: boolean
  readonly quiet?: boolean
  readonly columns?: number
  readonly rows?: number
}

/** A progress with a clock that the test advances. */
function start({ isTerminal = false, quiet = false, columns = 100, rows = 24 }: ProgressOptions = {}) {
  let now = 0
  const writes: string[] = []
  const emulator = createEmulator(columns, rows)
  const screen: Screen = {
    isTerminal,
    colours: false,
    columns,
    rows,
    write(text) {
      writes.push(text)
      emulator.write(text)
    },
  }
  const progress = createProgress(screen, { quiet, clock: () => now })
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { progress, writes, emulator, pass }
}

/** The stages of a run over two files. */
function startRun(options: ProgressOptions = {}) {
  const all = start(options)
  const rules = all.progress.stage('Parsing rules', 'rules')
  all.pass(3)
  rules.done(12)
  const [problems, first, second, matching] = [
    all.progress.stage('Problems detected', 'problems'),
    all.progress.stage('Reading a.log', 'bytes', 1_000_000),
    all.progress.stage('Reading b.log', 'bytes', 4_000_000),
    all.progress.stage('Matching lines', 'lines'),
  ] as const
  return { ...all, problems, first, second, matching }
}

describe('in a pipe', () => {
  it('only final lines are written, in the order of the stages', () => {
    const { writes, problems, first, second, matching, pass } = startRun()
    expect(writes.join('')).toBe('Parsing rules done! [12 rules in 3ms; 4.0k rules/s]\n')
    pass(71)
    second.done(4_000_000)
    first.update(500_000)
    first.done(1_000_000)
    matching.done(8100)
    expect(writes).toHaveLength(1)
    problems.done(4)
    expect(writes.slice(1).join('')).toBe(
      `Problems detected done! [4 problems in 71ms; 56 problems/s]
Reading a.log done! [1.0 MB in 71ms; 14.1 MB/s]
Reading b.log done! [4.0 MB in 71ms; 56.3 MB/s]
Matching lines done! [8.1k lines in 71ms; 114.1k lines/s]
`,
    )
  })

  it('a failed stage has no line and does not delay others', () => {
    const { writes, problems, first, second, matching } = startRun()
    for (const stage of [problems, second, matching]) stage.done(0)
    expect(writes.join('')).not.toContain('b.log')
    first.fail()
    expect(writes.join('').replaceAll(/ done!.*/g, '')).toBe(
      'Parsing rules\nProblems detected\nReading b.log\nMatching lines\n',
    )
  })

  it('the clock of a stage begins when it is started', () => {
    const { progress, writes, pass } = start()
    const stage = progress.stage('Reading a.log', 'bytes')
    pass(5000)
    stage.start()
    pass(500)
    stage.done(1000)
    expect(writes.join('')).toBe('Reading a.log done! [1.0 kB in 500ms; 2.0 kB/s]\n')
  })

  it('a stage that has ended does not change', () => {
    const { writes, problems, first, second, matching } = startRun()
    second.done(5)
    second.start()
    second.update(6)
    second.done(7)
    second.fail()
    for (const stage of [problems, first, matching]) stage.done(0)
    expect(writes.join('').match(/Reading b.log done! .* in/g)).toEqual(['Reading b.log done! [5 B in'])
  })

  it('printed lines appear at once', () => {
    const { progress, writes } = startRun()
    progress.print('CRE-2026-0001')
    progress.stop()
    progress.print('after')
    expect(writes.slice(1)).toEqual(['CRE-2026-0001\n', 'after\n'])
  })

  it('the name of a stage cannot contain a line break', () => {
    const { progress, writes } = start()
    progress.stage('Reading a\nReading b done! \u001b[2J', 'bytes').done(0)
    expect(writes.join('')).toBe('Reading a␊Reading b done! ␛[2J done! [0 B in 0ms; 0 B/s]\n')
  })
})

it('with quiet nothing is written', () => {
  for (const isTerminal of [false, true]) {
    const { progress, writes, pass, problems, first, second, matching } = startRun({ isTerminal, quiet: true })
    pass(1000)
    first.update(5)
    progress.print('line')
    for (const stage of [problems, first, second, matching]) stage.done(1)
    progress.stop()
    expect(writes).toEqual([])
  }
})

describe('on a terminal', () => {
  it('a short run shows no live lines', () => {
    const { progress, writes, pass, problems, first, second, matching } = startRun({ isTerminal: true })
    pass(90)
    for (const stage of [first, second, matching]) {
      stage.update(1)
      stage.done(1)
    }
    problems.done(0)
    progress.stop()
    expect(writes.join('')).not.toContain('\u001b')
  })

  it('live lines show the state of each stage', () => {
    const { emulator, pass, problems, first, second, matching } = startRun({ isTerminal: true })
    for (const stage of [problems, first, second, matching]) stage.start()
    pass(1000)
    second.update(1_000_000)
    problems.update(3)
    matching.update(81_000)
    pass(1000)
    second.update(2_000_000)
    first.done(1_000_000)
    pass(100)
    second.update(2_100_000)
    expect(emulator.lines()).toEqual([
      'Parsing rules done! [12 rules in 3ms; 4.0k rules/s]',
      '⠸ Problems detected  3 problems  2.10s',
      '✓ Reading a.log done! [1.0 MB in 2.00s; 500.0 kB/s]',
      '⠸ Reading b.log      ━━━━━━━━━━━━━━━───────────────   52%    2.1 MB    1.0 MB/s  2s left',
      '⠸ Matching lines     81.0k lines  44.5k lines/s  2.10s',
    ])
    expect(emulator.state()).toEqual({ isCursorVisible: false, isWrapping: true, column: 0 })
  })

  it('live lines are redrawn at most ten times a second', () => {
    const { writes, pass, first } = startRun({ isTerminal: true })
    for (let time = 0; time < 10_000; time++) {
      pass(1)
      first.update(time)
    }
    expect(writes.length).toBeLessThanOrEqual(1 + 100)
    expect(writes.length).toBeGreaterThan(90)
  })

  it('stages that do not fit are counted, and running ones are shown first', () => {
    const { progress, emulator, pass } = start({ isTerminal: true, rows: 10 })
    const stages = Array.from({ length: 50 }, (_, number) => progress.stage(`Reading ${number}.log`, 'bytes'))
    for (const stage of stages.slice(0, 10)) stage.update(1)
    stages[3]!.done(1)
    for (const number of [20, 30, 40]) stages[number]!.start()
    for (const number of [0, 1, 2, 4, 5, 6, 7, 8]) stages[number]!.fail()
    pass(100)
    stages[40]!.update(1000)
    expect(emulator.lines().map((line) => /\d+\.log|….*/.exec(line)?.[0])).toEqual([
      '3.log',
      '9.log',
      '10.log',
      '11.log',
      '20.log',
      '30.log',
      '40.log',
      '… and 35 more',
    ])
  })

  it('a printed line appears above live lines', () => {
    const { progress, emulator, pass, first, problems } = startRun({ isTerminal: true })
    pass(200)
    problems.update(1)
    first.update(1000)
    progress.print('CRE-2026-0001 critical')
    expect(emulator.lines().slice(0, 3)).toEqual([
      'Parsing rules done! [12 rules in 3ms; 4.0k rules/s]',
      'CRE-2026-0001 critical',
      '⠙ Problems detected  1 problem  200ms',
    ])
  })

  it('other output to the terminal appears above live lines', () => {
    const { progress, emulator, pass, problems } = startRun({ isTerminal: true })
    pass(200)
    problems.update(1)
    progress.aside(() => emulator.write('Warning: no timestamp\n'))
    expect(emulator.lines().slice(1, 3)).toEqual(['Warning: no timestamp', '⠙ Problems detected  1 problem  200ms'])
  })

  it('stop removes live lines and shows the cursor, at any time and repeatedly', () => {
    const { progress, emulator, writes, pass, first } = startRun({ isTerminal: true })
    pass(200)
    first.update(1000)
    progress.stop()
    expect(emulator.lines()).toEqual(['Parsing rules done! [12 rules in 3ms; 4.0k rules/s]'])
    expect(emulator.state().isCursorVisible).toBe(true)
    const before = writes.length
    progress.stop()
    pass(200)
    first.update(2000)
    expect(writes).toHaveLength(before)
  })

  it('a ticker redraws live lines until the end', () => {
    let tick: (() => void) | undefined
    let now = 0
    const emulator = createEmulator(80, 24)
    const screen: Screen = { isTerminal: true, colours: false, columns: 80, rows: 24, write: emulator.write }
    const progress = createProgress(screen, {
      quiet: false,
      clock: () => now,
      tick(redraw) {
        tick = redraw
        return () => {
          tick = undefined
        }
      },
    })
    progress.stage('Reading stdin', 'bytes').start()
    now = 1000
    tick!()
    expect(emulator.lines()).toEqual(['⠙ Reading stdin       0 B       0 B/s  1.00s'])
    progress.stop()
    expect(tick).toBeUndefined()
  })

  it('no line reaches the last column of a terminal of any width', () => {
    for (let columns = 1; columns <= 130; columns++) {
      const { emulator, pass, problems, first, second, matching } = startRun({ isTerminal: true, columns })
      const printed = emulator.lines().length
      for (const stage of [problems, first, second, matching]) stage.start()
      pass(1500)
      first.update(123_456)
      matching.update(1_234_567)
      const lines = emulator.lines().slice(printed)
      expect(lines.length).toBeLessThanOrEqual(4)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(Math.max(1, columns - 1))
    }
  })
})

it('after any sequence of events a terminal shows the same lines as a pipe', () => {
  const action = fc.record({
    kind: fc.constantFrom('update', 'update', 'done', 'fail', 'start', 'print', 'add'),
    stage: fc.nat(),
    time: fc.nat(300),
  })
  const run = (actions: readonly { kind: string; stage: number; time: number }[], options: ProgressOptions) => {
    const { progress, emulator, pass } = start(options)
    const stages = [progress.stage('Parsing rules', 'rules'), progress.stage('Reading 0.log', 'bytes', 5000)]
    const ended = new Set<unknown>()
    for (const [index, { kind, stage: number, time }] of actions.entries()) {
      const stage = stages[number % stages.length]!
      pass(time)
      if (kind === 'print') progress.print(`line ${index} `.padEnd([0, 99, 100, 101, 200][number % 5]!, '='))
      else if (kind === 'add') stages.push(progress.stage(`Reading ${index}.log`, 'bytes', 5000))
      else if (!ended.has(stage)) {
        if (kind === 'start') stage.start()
        else if (kind === 'fail') stage.fail()
        else stage[kind as 'update' | 'done'](number % 5000)
        if (kind === 'fail' || kind === 'done') ended.add(stage)
      }
    }
    progress.stop()
    return { lines: emulator.lines(), state: emulator.state() }
  }
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), fc.integer({ min: 4, max: 12 }), (actions, rows) => {
      const piped = run(actions, { isTerminal: false, rows })
      const shown = run(actions, { isTerminal: true, rows })
      expect(shown.lines).toEqual(piped.lines)
      expect(shown.state).toEqual({ isCursorVisible: true, isWrapping: true, column: 0 })
    }),
    { numRuns: 300 },
  )
})
