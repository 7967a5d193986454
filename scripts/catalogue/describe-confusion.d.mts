import type { Confusion } from './confusion.mjs'

export function describeConfusion(
  confusion: Confusion & {
    readonly broken?: readonly { readonly folder: string; readonly problems: readonly string[] }[]
  },
): string
export function drawMatrix(confusion: Pick<Confusion, 'silent' | 'own' | 'undeclared' | 'overlapping'>): string
