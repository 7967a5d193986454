// The last step of `npm run build`: links the programs for npx. npm links only programs that exist, and `npm ci` runs before they
// are built.
import { execFileSync } from 'node:child_process'

const WORKSPACES = ['@omen/cli', '@omen/server']

execFileSync(process.execPath, [process.env.npm_execpath, 'rebuild', '--ignore-scripts', ...WORKSPACES], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
