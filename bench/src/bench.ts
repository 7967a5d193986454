import { runSuite } from './harness/suite.js'
import { kubernetesSuite } from './suites/kubernetes/suite.js'
import { serverSuite } from './suites/server/suite.js'
import { toolSuite } from './suites/tool/suite.js'

const SUITES = {
  tool: (argv: readonly string[]) => runSuite(toolSuite, argv),
  server: (argv: readonly string[]) => runSuite(serverSuite, argv),
  kubernetes: (argv: readonly string[]) => runSuite(kubernetesSuite, argv),
}

const [name = 'tool', ...argv] = process.argv.slice(2)
try {
  if (!Object.hasOwn(SUITES, name))
    throw new Error(`there is no suite "${name}"; the suites are ${Object.keys(SUITES).join(', ')}`)
  process.exitCode = await SUITES[name as keyof typeof SUITES](argv)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
