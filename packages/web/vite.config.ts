import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // Addresses relative to the page: it works at whatever path the onboarding URL has.
  base: './',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Nothing inline: the page is served under a policy that allows only files of its own host.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
