import { createPresenter, type PublicDetection } from '../match/detection.js'
import { createMatcher } from '../match/matcher.js'
import type { CompiledRules, Extract } from '../rules/compiled.js'
import { createRegexExtract } from '../terms/regex/run/search.js'
import { createClock, type TimeCounts } from './clock.js'
import { createConditionTests, type TestModules, type Warn, type WarningSubject } from './condition-tests.js'
import { createDelivery, withoutIgnored } from './delivery.js'
import { looksLikeObject } from './envelopes/json.js'
import { EntryTexts } from './envelopes/messages.js'
import type { Kernel } from './kernel/kernel.js'
import { describeLate } from './late-entries.js'
import type { MatchBatch } from './match-batch.js'
import { preparedFor, selectRules } from './prepare.js'
import type { EntryBatch } from './reading/reader.js'
import { createReordering } from './reordering.js'
import { createScanner, type Scanner } from './scanner.js'
import type { DetectorSnapshot } from './snapshot.js'

/** The steps after the reader: scanner, delivery in the order of time, rule state, detections. */
export interface Pipeline {
  /** Takes entries that were read on this thread. */
  take(batch: EntryBatch): void
  /** Takes entries that were scanned elsewhere. */
  deliver(batch: MatchBatch): void
  /** Delivers what waits for its turn and is not after this time, or all. */
  release(upTo?: bigint): void
  readonly waitingUpTo: bigint | undefined
  end(): void
  /** Discards all state, or continues from a snapshot. The tables of the scanner are kept. */
  restart(from?: DetectorSnapshot): void
  /** Warns of late entries, unless that was done before. */
  reportLate(): void
  /** The detections since the last call. */
  found(): PublicDetection[]
  /** Also warns of late entries: perhaps another process continues, which does not know of them. */
  snapshot(): Pick<DetectorSnapshot, 'delivery' | 'matcher' | 'isLateReported'>
  /** What was counted since the start or the last restart. */
  readonly counts: TimeCounts
}

export interface PipelineOptions {
  readonly source: string
  readonly now: Date
  readonly window?: bigint | undefined
  readonly since?: bigint | undefined
  readonly until?: bigint | undefined
  readonly warn: Warn
  readonly saved?: DetectorSnapshot | undefined
}

/** Creates a pipeline for the rules of a source. */
export function createPipeline(kernel: Kernel, rules: CompiledRules, options: PipelineOptions): Pipeline {
  const { source, now, window = 0n, warn, saved } = options
  const { modules } = preparedFor(rules)
  const active = selectRules(rules, source)
  const present = createPresenter((extract) => createExtractor(extract, modules))
  let found: PublicDetection[] = []
  const clock = createClock(kernel, options)
  let scanner: Scanner | undefined
  let { matcher, delivery } = start(saved)
  let isLateReported = saved?.isLateReported ?? false

  function start(from: DetectorSnapshot | undefined) {
    const matcher = createMatcher(active.rules, {
      emit: (detection) => found.push(present(detection)),
      warn,
      ...(from && { snapshot: from.matcher }),
    })
    const delivery =
      window > 0n
        ? createReordering(clock, matcher, window, warn, from?.delivery)
        : createDelivery(clock, matcher, from?.delivery)
    return { matcher, delivery }
  }

  function deliver(scanned: MatchBatch): void {
    const batch = { ...scanned, timestamps: clock.advance(scanned.timestamps) }
    delivery.deliver(clock.ignored === 0 || batch.matches === 0 ? batch : withoutIgnored(batch))
  }

  function reportLate(): void {
    if (isLateReported || clock.counts.late === 0 || !matcher.hasState) return
    isLateReported = true
    warn(describeLate(clock.counts, window))
  }

  return {
    take(batch) {
      scanner ??= createScanner(kernel, active.conditions, createConditionTests(active, modules, { now, warn }))
      deliver(scanner.scan(batch))
    },
    deliver,
    release: (upTo) => delivery.release(upTo),
    get waitingUpTo() {
      return delivery.waitingUpTo
    },
    end() {
      delivery.end()
      reportLate()
    },
    restart(from) {
      found = []
      isLateReported = from?.isLateReported ?? false
      ;({ matcher, delivery } = start(from))
    },
    found() {
      const taken = found
      found = []
      return taken
    },
    reportLate,
    snapshot() {
      reportLate()
      return { delivery: delivery.snapshot(), matcher: matcher.snapshot(), ...(isLateReported && { isLateReported }) }
    },
    get counts() {
      return clock.counts
    },
  }
}

/** Takes the value from the text of an entry, or from the first message inside that has one. */
function createExtractor(extract: Extract, modules: TestModules): (text: string) => string | undefined {
  const isJq = extract.kind === 'jq'
  const take = isJq ? modules.jq!.compileJq(extract.text).first : createRegexExtract(extract.text)
  return (entry) => {
    const texts = new EntryTexts(entry)
    for (let depth = 0, text = texts.at(0); text !== undefined; text = texts.at(++depth)) {
      const value = isJq && depth > 0 && !looksLikeObject(text) ? undefined : take(text)
      if (value !== undefined) return value
    }
    return undefined
  }
}

/** Passes on each message once: a warning that repeats with every line would hide the others. */
export interface WarnOnce {
  (message: string, subject?: WarningSubject): void
  /** Allows every message again. */
  forget(): void
}

export function warnOnce(warn: Warn | undefined): WarnOnce {
  const reported = new Set<string>()
  const report: Warn = (message, subject = 'data') => {
    if (reported.has(message)) return
    reported.add(message)
    warn?.(message, subject)
  }
  return Object.assign(report, { forget: () => reported.clear() })
}
