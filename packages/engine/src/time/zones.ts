/**
 * Abbreviations of time zones with the quarter hours that they are ahead of UTC: those of RFC 2822, and others that
 * have one meaning where logs are concerned. Any other abbreviation counts as UTC.
 */
const ZONES = {
  UTC: 0,
  GMT: 0,
  UT: 0,
  EST: -20,
  EDT: -16,
  CST: -24,
  CDT: -20,
  MST: -28,
  MDT: -24,
  PST: -32,
  PDT: -28,
  AKST: -36,
  AKDT: -32,
  HST: -40,
  WET: 0,
  WEST: 4,
  BST: 4,
  CET: 4,
  CEST: 8,
  MEZ: 4,
  MESZ: 8,
  EET: 8,
  EEST: 12,
  SAST: 8,
  MSK: 12,
  PKT: 20,
  ICT: 28,
  SGT: 32,
  HKT: 32,
  AWST: 32,
  JST: 36,
  KST: 36,
  ACST: 38,
  AEST: 40,
  AEDT: 44,
  NZST: 48,
  NZDT: 52,
} as const

/** The table as the interpreters read it: a count, then for each zone four bytes of name, padded with zeros, and a signed byte. */
export const ZONE_TABLE = Uint8Array.from([
  Object.keys(ZONES).length,
  ...Object.entries(ZONES).flatMap(([name, quarters]) => [
    ...Array.from({ length: 4 }, (_, i) => name.charCodeAt(i) || 0),
    quarters,
  ]),
])
