// The files of a release for a krew index: an archive for each platform, and the manifest that lists them.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { parse, stringify } from 'yaml'
import { tar } from './tar.mjs'

/** The names of platforms in Node.js, and in krew. */
const PLATFORMS = {
  'linux-x64': { os: 'linux', arch: 'amd64' },
  'linux-arm64': { os: 'linux', arch: 'arm64' },
  'darwin-x64': { os: 'darwin', arch: 'amd64' },
  'darwin-arm64': { os: 'darwin', arch: 'arm64' },
  'win32-x64': { os: 'windows', arch: 'amd64' },
}

/** `omen-server tool publish` accepts the same names. */
const EXECUTABLE = /^omen-(\d+\.\d+\.\d+(?:-[\w.]+?)?)-((?:linux|darwin|win32)-\w+?)(?:\.exe)?$/

/**
 * Reads the version and the platform from the name of an executable.
 *
 * @example
 * readExecutableName('omen-0.3.0-linux-x64') // { version: '0.3.0', os: 'linux', arch: 'amd64' }
 */
export function readExecutableName(name) {
  const [, version, platform] = EXECUTABLE.exec(name) ?? []
  const known = PLATFORMS[platform]
  if (known === undefined) {
    const platforms = Object.keys(PLATFORMS).join(', ')
    throw new Error(`${name} is not the name of an executable: omen-<version>-<platform>, with one of ${platforms}`)
  }
  return { version, ...known }
}

/**
 * Makes the archives of a release and their manifest, which omits platforms without an executable.
 *
 * @example
 * makeRelease({ template, url: 'https://dl.example.com/omen', homepage, executables: [{ name, bytes }], licenses })
 */
export function makeRelease({ template, url, homepage, executables, licenses }) {
  const base = checkUrl('--url', url)
  const packed = executables.map(({ name, bytes }) => ({ ...readExecutableName(name), bytes }))
  const versions = [...new Set(packed.map(({ version }) => version))]
  if (versions.length !== 1)
    throw new Error(`all executables must have the same version; these have ${versions.join(' and ')}`)
  const manifest = parse(template)
  const archives = []
  const platforms = manifest.spec.platforms.flatMap((platform) => {
    const { os, arch } = platform.selector.matchLabels
    const executable = packed.find((candidate) => candidate.os === os && candidate.arch === arch)
    if (executable === undefined) return []
    const program = { name: platform.bin, mode: 0o755, bytes: executable.bytes }
    const bytes = gzipSync(tar([program, ...licenses.map((license) => ({ ...license, mode: 0o644 }))]), { level: 9 })
    const name = `kubectl-omen-${versions[0]}-${os}-${arch}.tar.gz`
    archives.push({ name, bytes })
    return { ...platform, uri: `${base}/${name}`, sha256: createHash('sha256').update(bytes).digest('hex') }
  })
  const spec = { ...manifest.spec, version: `v${versions[0]}`, homepage: checkUrl('--homepage', homepage), platforms }
  return { archives, manifest: stringify({ ...manifest, spec }) }
}

function checkUrl(flag, url) {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new Error(`${flag} takes an https:// address, not "${url}"`)
  return url.replace(/\/+$/, '')
}
