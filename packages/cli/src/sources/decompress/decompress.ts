import type { Compression } from '../compression.js'
import type { Decompressor } from './decompressor.js'

/** Loads the decompressor for a kind of data: none is loaded before it is needed. */
export const DECOMPRESSORS: Readonly<Record<Compression, () => Promise<Decompressor>>> = {
  gzip: async () => (await import('./gunzip.js')).gunzip,
  zstd: async () => (await import('./unzstd.js')).unzstd,
  bzip2: async () => (await import('./bunzip2.js')).bunzip2,
  xz: async () => (await import('./unxz.js')).unxz,
}
