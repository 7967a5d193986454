export type { Entry, PublicDetection as Detection, PublicHit as Hit } from './match/detection.js'
export {
  createFindings,
  type Findings,
  type FindingsOptions,
  formatTimestamp,
  type Problem,
  type ProblemHit,
  type ReportedHit,
  type ReportedProblem,
  reportProblems,
} from './match/report.js'
export { exportRules } from './rules/cache/export.js'
export { FORMAT_VERSION as RULES_CACHE_FORMAT } from './rules/cache/format.js'
export type { CompiledRules, CreApplication, CreRecord, RulesWarning } from './rules/compiled.js'
export { SEVERITY_LABELS, severityLabel } from './rules/compiled.js'
export { createLocator, type Position } from './rules/document/position.js'
export { readYaml } from './rules/document/read.js'
export {
  type DocumentNode,
  entryOf,
  isNothing,
  type ListNode,
  type MapEntry,
  type MapNode,
  type ParsedFile,
  type ScalarNode,
  type SyntaxProblem,
  scalarValue,
} from './rules/document/tree.js'
export { RulesError, type RulesProblem } from './rules/error.js'
export { KEYS, type KeyPlace, type KnownKey, mayHoldRules } from './rules/keys.js'
export type { PackedRules, PackOptions } from './rules/pack.js'
export type { Warn, WarningSubject } from './scan/condition-tests.js'
export { canBeCut, findEntryStart, findFormats } from './scan/cuts.js'
export { createDetector, type Detector, type DetectorOptions, detect, type Progress } from './scan/detector.js'
export { compileRules, importRules, packRules } from './scan/prepare.js'
export type { Chunks } from './scan/read-entries.js'
export { type ReadOptions, readEntries } from './scan/read-entries.js'
export { type CustomTimestamp, checkTimestamp } from './scan/reading/format.js'
export type { LocalTimeState } from './scan/reading/local-time.js'
export type { ReadingFormat, Seam } from './scan/reading/reader.js'
export {
  assumedSeam,
  buffersOf,
  createMerger,
  createSegmentScanner,
  type Merger,
  type ScannedSegment,
  type SegmentOptions,
  type SegmentScanner,
} from './scan/segments.js'
export { SnapshotError } from './scan/snapshot.js'
export { formatDuration, parseDuration } from './time/duration.js'
export { checkZone, type OffsetAt, type ZoneOption } from './time/zone.js'
