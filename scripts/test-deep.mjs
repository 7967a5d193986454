// Runs the property tests again and again, each round with another random seed, and stops at the first failure.
//
//   npm run test:deep [-- rounds [files…]]
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const [rounds = '10', ...chosen] = process.argv.slice(2)

/** The tests that have random input: fast-check's, and those that read the seed themselves. */
function propertyTests() {
  return ['packages', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((path) => /\.test\.ts$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
      .map((path) => join(folder, path))
      .filter((path) => /fast-check|OMEN_TEST_SEED|test-seed/.test(readFileSync(join(root, path), 'utf8'))),
  )
}

const files = chosen.length > 0 ? chosen : propertyTests()
for (let round = 1; round <= Number(rounds); round++) {
  const seed = randomInt(2 ** 31)
  console.log(`Round ${round} of ${rounds}: OMEN_TEST_SEED=${seed}, ${files.length} files`)
  const { status } = spawnSync('npx', ['vitest', 'run', '--reporter=dot', ...files], {
    cwd: root,
    env: { ...process.env, OMEN_TEST_SEED: String(seed) },
    stdio: 'inherit',
  })
  if (status !== 0) {
    console.log(`Failed with OMEN_TEST_SEED=${seed}.`)
    process.exit(1)
  }
}
