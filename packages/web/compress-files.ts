import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Shorter files would hardly become shorter. */
const WORTH_IT = 1024

/**
 * Writes scripts and styles a second and a third time, compressed as well as can be: the service sends those as they are.
 *
 * @example
 * defineConfig({ plugins: [compressFiles()] })
 */
export function compressFiles(): Plugin {
  let folder = ''
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(build.outDir.startsWith('/') ? '' : root, build.outDir, build.assetsDir)
    },
    closeBundle: () => {
      for (const name of readdirSync(folder).filter((file) => /\.(js|css)$/.test(file))) {
        const bytes = readFileSync(join(folder, name))
        if (bytes.length < WORTH_IT) continue
        const most = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, most))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
