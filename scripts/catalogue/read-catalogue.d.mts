/** A log of a rule's folder. */
export interface CatalogueLog {
  /** Such as `cre-2026-10001/hit.log`. */
  readonly name: string
  readonly expected: 'hit' | 'miss'
  readonly bytes: Uint8Array
}

/** A folder of the catalogue; files may be missing. */
export interface CatalogueFolder {
  readonly name: string
  /** The id that its rule must have. */
  readonly id: string
  readonly files: readonly string[]
  readonly text: string | undefined
  readonly logs: readonly CatalogueLog[]
}

/** An entry of `overlaps.yaml`. */
export interface Overlap {
  readonly rule: string
  readonly log: string
  readonly why: string
}

export interface Catalogue {
  readonly root: string
  readonly folders: readonly CatalogueFolder[]
  readonly overlaps: readonly Overlap[]
  readonly categories: Readonly<Record<string, string>>
  readonly tags: Readonly<Record<'symptoms' | 'technologies', Readonly<Record<string, string>>>>
}

export const CATALOGUE: string
export function readCatalogue(root?: string): Catalogue
