import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type SignIn, writeSignIn } from '../src/account/token-file.js'
import { type AccountServer, startAccountServer } from './account-service.js'

/** A new configuration directory and a new service for each test. */
export function useAccount() {
  let server: AccountServer
  let folder = ''
  beforeEach(async () => {
    server = await startAccountServer()
    folder = mkdtempSync(join(tmpdir(), 'omen-account-'))
  })
  afterEach(async () => {
    rmSync(folder, { recursive: true, force: true })
    await server.close()
  })
  return {
    server: () => server,
    folder: () => folder,
    /** Writes `service.url`. */
    configure: (url = server.url) => writeFileSync(join(folder, 'config.yaml'), `# mine\nservice: {url: "${url}"}\n`),
    /** Stores a sign-in. */
    signedIn: (more: Partial<SignIn> = {}) =>
      writeSignIn(folder, {
        service: server.url,
        accessToken: 'omen_at_0',
        refreshToken: 'omen_rt_0',
        expiresAt: Date.parse('2099-01-01'),
        ...more,
      }),
  }
}
