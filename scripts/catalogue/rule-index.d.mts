import type { Catalogue } from './read-catalogue.mjs'

export function withIndex(page: string, catalogue: Pick<Catalogue, 'folders' | 'categories'>): string
