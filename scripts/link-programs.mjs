// The last step of `npm run build`: puts the programs where npx finds them. npm links those that exist, and `npm ci` runs before
// they are built. What npm says about it is of no interest.
import { execFileSync } from 'node:child_process'

const WORKSPACES = ['@omen/cli', '@omen/server']

execFileSync(process.execPath, [process.env.npm_execpath, 'rebuild', '--ignore-scripts', ...WORKSPACES], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
