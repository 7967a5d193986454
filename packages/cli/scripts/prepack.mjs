// Runs before `npm pack`: builds the tool if needed, and copies the license and the README beside it. `--undo` removes the copies.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const root = resolve(home, '../..')
const COPIED = ['LICENSE', 'README.md']

if (process.argv.includes('--undo')) {
  for (const name of COPIED) rmSync(`${home}/${name}`, { force: true })
} else {
  if (!existsSync(`${home}/dist/omen.js`)) {
    // `npm pack` must print only the name of the package.
    execFileSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  for (const name of COPIED) copyFileSync(`${root}/${name}`, `${home}/${name}`)
}
