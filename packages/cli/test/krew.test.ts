import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { makeRelease, readExecutableName } from '../../../scripts/krew/release.mjs'
import { useFolder } from './omen.js'

const folder = useFolder()
const root = fileURLToPath(new URL('../../..', import.meta.url))
const template = readFileSync(`${root}/deploy/krew.yaml`, 'utf8')

const text = { type: 'string', minLength: 1 }
const object = (properties: object, required: readonly string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})

/** The fields of a manifest, and the checks of the krew index. */
const isManifest = new Ajv().compile(
  object(
    {
      apiVersion: { const: 'krew.googlecontainertools.github.com/v1alpha2' },
      kind: { const: 'Plugin' },
      metadata: object({ name: { const: 'omen' } }, ['name']),
      spec: object(
        {
          version: { type: 'string', pattern: '^v\\d+\\.\\d+\\.\\d+(-[\\w.]+)?$' },
          homepage: { type: 'string', pattern: '^https://' },
          // `kubectl krew search` cuts it at the width of the terminal.
          shortDescription: { type: 'string', pattern: '^[^\\r\\n]+$', maxLength: 50 },
          description: text,
          caveats: text,
          platforms: {
            type: 'array',
            minItems: 1,
            items: object(
              {
                selector: object(
                  { matchLabels: object({ os: { enum: ['linux', 'darwin', 'windows'] }, arch: text }, ['os', 'arch']) },
                  ['matchLabels'],
                ),
                uri: { type: 'string', pattern: '^https://.*\\.(tar\\.gz|zip)$' },
                sha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
                bin: { type: 'string', pattern: '^kubectl-omen(\\.exe)?$' },
              },
              ['selector', 'uri', 'sha256', 'bin'],
            ),
          },
        },
        ['version', 'homepage', 'shortDescription', 'description', 'platforms'],
      ),
    },
    ['apiVersion', 'kind', 'metadata', 'spec'],
  ),
)

const check = (manifest: unknown) => (isManifest(manifest) ? [] : isManifest.errors)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('deploy/krew.yaml', () => {
  it('is a manifest with each platform once', () => {
    const manifest = parse(template)
    expect(check(manifest)).toEqual([])
    const platforms = manifest.spec.platforms.map(({ selector }: { selector: object }) => JSON.stringify(selector))
    expect(new Set(platforms).size).toBe(platforms.length)
  })

  it('has a platform for every executable of a release', () => {
    const known = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64.exe'].map((platform) => {
      const { os, arch } = readExecutableName(`omen-1.2.3-${platform}`)
      return { os, arch }
    })
    const offered = parse(template).spec.platforms.map(
      ({ selector }: { selector: { matchLabels: object } }) => selector.matchLabels,
    )
    expect(offered).toEqual(known)
  })
})

describe('npm run krew', () => {
  it('packs executables for krew, and writes their manifest', () => {
    const program = '#!/bin/sh\necho omen 0.3.0\n'
    const executables = ['omen-0.3.0-linux-x64', 'omen-0.3.0-win32-x64.exe'].map((name) => folder.write(name, program))
    const args = [
      `${root}/scripts/krew.mjs`,
      '--url',
      'https://dl.example.com/omen/',
      '--homepage',
      'https://omen.test',
      '--out',
      folder.path('krew'),
    ]
    execFileSync(process.execPath, [...args, ...executables])
    expect(readdirSync(folder.path('krew')).sort()).toEqual([
      'kubectl-omen-0.3.0-linux-amd64.tar.gz',
      'kubectl-omen-0.3.0-windows-amd64.tar.gz',
      'omen.yaml',
    ])
    const manifest = parse(readFileSync(folder.path('krew/omen.yaml'), 'utf8'))
    expect(check(manifest)).toEqual([])
    expect(manifest.spec).toMatchObject({ version: 'v0.3.0', homepage: 'https://omen.test' })
    expect(manifest.spec.platforms).toHaveLength(2)
    for (const { uri, sha256: sum, bin } of manifest.spec.platforms) {
      const archive = folder.path(`krew/${uri.slice('https://dl.example.com/omen/'.length)}`)
      expect(sha256(readFileSync(archive))).toBe(sum)
      const unpacked = folder.path(`unpacked-${bin}`)
      execFileSync('sh', ['-ec', 'mkdir "$1" && tar -xzf "$0" -C "$1"', archive, unpacked])
      expect(readdirSync(unpacked).sort()).toEqual(['LICENSE', 'THIRD-PARTY-LICENSES', bin])
      expect(statSync(`${unpacked}/${bin}`).mode & 0o777).toBe(0o755)
      expect(execFileSync(`${unpacked}/${bin}`).toString()).toBe('omen 0.3.0\n')
    }
  })

  const release = { template, url: 'https://dl.example.com', homepage: 'https://omen.test', licenses: [] }
  const executable = (name: string) => ({ name, bytes: Buffer.from(name) })

  it('writes the same bytes for the same files', () => {
    const make = () => makeRelease({ ...release, executables: [executable('omen-0.3.0-linux-arm64')] })
    expect(make()).toEqual(make())
  })

  it.each([
    ['a name without a platform', ['omen'], /omen is not the name of an executable: omen-<version>-<platform>/],
    ['an unknown platform', ['omen-0.3.0-linux-mips'], /not the name of an executable/],
    [
      'two versions',
      ['omen-0.3.0-linux-x64', 'omen-0.3.1-linux-arm64'],
      /must have the same version; these have 0\.3\.0 and 0\.3\.1/,
    ],
  ])('refuses %s', (_, names, reason) => {
    expect(() => makeRelease({ ...release, executables: names.map(executable) })).toThrow(reason)
  })

  it('refuses an http:// address', () => {
    const executables = [executable('omen-0.3.0-linux-x64')]
    expect(() => makeRelease({ ...release, url: 'http://dl.example.com', executables })).toThrow(
      /^--url takes an https:/,
    )
  })
})
