import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const page = (name: string) => join(import.meta.dirname, name)

export default defineConfig({
  root: import.meta.dirname,
  // `npm start` shows only the output of the program that it starts.
  logLevel: process.env.npm_config_loglevel === 'silent' ? 'warn' : 'info',
  // URLs relative to the page: the onboarding URL can have any path.
  base: './',
  experimental: {
    // The app has pages in folders and is at the root of its host, so its HTML needs URLs from the root.
    renderBuiltUrl: (file, { hostId, hostType }) =>
      hostType === 'html' && hostId.endsWith('app.html') ? `/${file}` : { relative: true },
  },
  plugins: [react(), compressFiles()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Nothing inline: the content security policy allows only files of the same host.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { setup: page('index.html'), app: page('app.html') } },
  },
})

/** Smaller files hardly get smaller by compression. */
const SMALLEST_TO_COMPRESS = 1024

/** Compresses scripts and styles once, at build time: the service sends the compressed files as they are. */
function compressFiles(): Plugin {
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
        if (bytes.length < SMALLEST_TO_COMPRESS) continue
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
