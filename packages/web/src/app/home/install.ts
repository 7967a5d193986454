import { isWebAddress } from '../..//api/request.js'
import type { AnnouncedTool } from '../api/messages.js'

type ToolFile = AnnouncedTool['files'][number]

/** Systems by what browsers call themselves, with the platforms that people most likely have there, the likeliest first. */
const PLATFORMS = [
  [/\bWindows\b/, ['win32-x64', 'win-x64', 'win32-arm64']],
  [/\bMac OS X\b|\bMacintosh\b/, ['darwin-arm64', 'darwin-x64']],
  [/./, ['linux-x64', 'linux-arm64']],
] as const

/** The files that a command can be made for: addresses of the web, with a hash that can be compared. */
export function usableFiles(tool: AnnouncedTool | null): readonly ToolFile[] {
  return (tool?.files ?? []).filter(({ url, sha256 }) => isWebAddress(url) && /^[0-9a-f]{64}$/.test(sha256))
}

/**
 * The platform that somebody most likely has.
 *
 * @example
 * guessPlatform(['linux-x64', 'darwin-arm64'], navigator.userAgent) // 'darwin-arm64' on a Mac
 */
export function guessPlatform(offered: readonly string[], agent: string): string | undefined {
  const likely = PLATFORMS.find(([pattern]) => pattern.test(agent))?.[1] ?? []
  return likely.find((platform) => offered.includes(platform)) ?? offered[0]
}

/**
 * The command that fetches the tool, compares its hash, and makes it a program.
 *
 * @example
 * installCommand({ platform: 'linux-x64', url: 'https://…/omen-0.3.0-linux-x64', sha256: '9f2c…', size: 1 })
 */
export function installCommand({ platform, url, sha256 }: ToolFile): string {
  const quoted = `'${url.replaceAll("'", "'\\''")}'`
  if (platform.startsWith('win')) return `curl.exe -fLo omen.exe "${url.replaceAll('"', '%22')}"`
  const compare = platform.startsWith('darwin') ? 'shasum -a 256 -c' : 'sha256sum -c'
  return `curl -fLo omen ${quoted} &&\n  echo '${sha256}  omen' | ${compare} &&\n  chmod +x omen`
}
