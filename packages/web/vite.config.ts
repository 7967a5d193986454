import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from './compress-files.js'

const page = (name: string) => join(import.meta.dirname, name)

export default defineConfig({
  root: import.meta.dirname,
  // `npm start` builds without a word: what is asked for is what comes after.
  logLevel: process.env.npm_config_loglevel === 'silent' ? 'warn' : 'info',
  // Addresses relative to the page: the set-up page works at whatever path the onboarding URL has.
  base: './',
  experimental: {
    // The app has pages below folders, and stands at the root of its host: there only addresses from the root are right.
    renderBuiltUrl: (file, { hostId, hostType }) =>
      hostType === 'html' && hostId.endsWith('app.html') ? `/${file}` : { relative: true },
  },
  plugins: [react(), compressFiles()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Nothing inline: the page is served under a policy that allows only files of its own host.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { setup: page('index.html'), app: page('app.html') } },
  },
})
