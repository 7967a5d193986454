import { describe, expect, it } from 'vitest'
import { findInstallation, type InstallationFacts } from './install-tool.js'

const NPM_INSTALLATION: InstallationFacts = {
  isSingleFile: false,
  execPath: process.execPath,
  script: '/usr/lib/node_modules/@omen/cli/dist',
  env: {},
  folder: '/home/ada/my preq',
}

describe('the command for another version', () => {
  it('is npm install for an npm package, and git pull for a checkout', () => {
    const { replaceable, command } = findInstallation(NPM_INSTALLATION)
    expect([replaceable, command('0.3.0', undefined)]).toEqual([undefined, 'npm install -g @omen/cli@0.3.0'])
    const checkout = findInstallation({ ...NPM_INSTALLATION, script: '/home/ada/omen/packages/cli/dist' })
    expect(checkout.command('0.3.0', undefined)).toBe('git pull && npm ci && npm run build')
  })

  it.each([{ KUBERNETES_SERVICE_HOST: '10.0.0.1' }, { container: 'podman' }])(
    'changes the image in a container (%o)',
    (env) => {
      const { replaceable, command } = findInstallation({ ...NPM_INSTALLATION, isSingleFile: true, env })
      expect(replaceable).toBeUndefined()
      expect(command('0.3.0', new URL('https://omen.example.com/v1/tool/omen-0.3.0-linux-x64'))).toMatch(
        /^in the image, run curl -fLo \S+ https:\/\/omen\.example\.com\/v1\/tool\/omen-0\.3\.0-linux-x64$/,
      )
    },
  )
})
