import { beforeEach } from 'vitest'
import type { TestDatabase } from './engines.js'
import { CLIENT, makeWorld, REQUEST, REQUESTER, type World } from './world.js'

/** Options of a code. */
interface CodeOptions {
  readonly domain?: string
  readonly expires?: string
}

/** The steps of onboarding, in a new world for each test. */
export function useSteps(database: TestDatabase) {
  let world: World
  beforeEach(async () => {
    world = await makeWorld(database.current())
  })
  const issue = (org = 'Acme', more: CodeOptions = {}) =>
    world.operations.issueCode({ org, expires: '2030-01-10', ...more })
  const exchange = async (code: string) => (await world.onboarding.exchangeCode(code, REQUESTER)).token
  return {
    world: () => world,
    issue,
    exchange,
    async begin(org = 'Acme', more: CodeOptions = {}) {
      const { code, id } = await issue(org, more)
      return { code, id, token: await exchange(code) }
    },
    open: (token: string | undefined, more: Partial<typeof REQUEST> = {}) =>
      world.onboarding.openTransaction(token, { ...REQUEST, ...more }, REQUESTER),
    complete: (token: string | undefined, transaction: string, client = CLIENT) =>
      world.onboarding.complete(token, transaction, client, REQUESTER),
  }
}
