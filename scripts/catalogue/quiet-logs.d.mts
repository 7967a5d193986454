import type { ScannedLog } from './confusion.mjs'

export function quietLogs<Format>(bench: {
  generateLog(plan: { readonly seed: number; readonly size: number; readonly format: Format }): Iterable<Uint8Array>
  readonly FAMILIES: Readonly<Record<string, Format>>
}): readonly ScannedLog[]
