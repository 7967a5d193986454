import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import { makePackage, makePair, publishPackage } from '../../test/releases/stage.js'
import { makeWorld, removeTemporaryFolders } from '../../test/world.js'
import { readBundledRules } from './bundled-rules.js'
import { createCatalogue } from './create-catalogue.js'
import { preparePackage } from './prepare-package.js'

removeTemporaryFolders()

onBothEngines((database) => {
  test('the catalogue follows published and withdrawn packages, public and private ones', async () => {
    const { operations, releases } = await makeWorld(database.current())
    const pair = makePair()
    await operations.addReleaseKey({ pem: pair.publicKey.pem })
    const { token } = await operations.issueToken({ org: 'Acme', name: 'reader', scope: 'rules:read' })
    const { organizationId: acme } = await releases.identify(token)
    const catalogue = createCatalogue({
      database: database.current(),
      prepare: preparePackage,
      readBundled: readBundledRules,
    })
    const look = async (organization?: string) => {
      const { brotli } = await catalogue.list(organization)
      const { rules, version, private_version } = JSON.parse(brotliDecompressSync(brotli).toString())
      return { rules: rules.length, version, own: private_version }
    }
    const bundled = await look()
    expect(bundled.rules).toBeGreaterThan(100)
    await publishPackage(operations, await makePackage('9.0.0'), pair)
    expect(await look()).toEqual({ rules: 1, version: '9.0.0', own: undefined })
    await publishPackage(operations, await makePackage('3.0.0', { channel: 'private' }), pair, { org: 'Acme' })
    expect(await look(acme)).toEqual({ rules: 1, version: '9.0.0', own: '3.0.0' })
    expect(await look()).toEqual({ rules: 1, version: '9.0.0', own: undefined })
    await operations.withdrawRelease({ kind: 'rules', version: '9.0.0' })
    expect(await look()).toEqual(bundled)
  })
})
