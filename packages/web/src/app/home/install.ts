import { isWebUrl } from '../../api/request.js'
import { shellQuote } from '../../controls/copy.js'
import type { AnnouncedTool } from '../client.js'

type ToolFile = AnnouncedTool['files'][number]

/** The platforms by operating system in the `User-Agent`, the most likely first. */
const PLATFORMS = [
  [/\bWindows\b/, ['win32-x64', 'win-x64', 'win32-arm64']],
  [/\bMac OS X\b|\bMacintosh\b/, ['darwin-arm64', 'darwin-x64']],
  [/./, ['linux-x64', 'linux-arm64']],
] as const

/** The files that an install command can use: with an http(s) URL and a SHA-256 hash. */
export function usableFiles(tool: AnnouncedTool | undefined): readonly ToolFile[] {
  return (tool?.files ?? []).filter(({ url, sha256 }) => isWebUrl(url) && /^[0-9a-f]{64}$/.test(sha256))
}

/**
 * The most likely platform of the user.
 *
 * @example
 * guessPlatform(['linux-x64', 'darwin-arm64'], navigator.userAgent) // 'darwin-arm64' on a Mac
 */
export function guessPlatform(offered: readonly string[], agent: string): string | undefined {
  const likely = PLATFORMS.find(([pattern]) => pattern.test(agent))?.[1] ?? []
  return likely.find((platform) => offered.includes(platform)) ?? offered[0]
}

/**
 * The command that downloads the tool, verifies its hash, and makes it executable.
 *
 * @example
 * installCommand({ platform: 'linux-x64', url: 'https://…/omen-0.3.0-linux-x64', sha256: '9f2c…', size: 1 })
 */
export function installCommand({ platform, url, sha256 }: ToolFile): string {
  if (platform.startsWith('win')) return `curl.exe -fLo omen.exe "${url.replaceAll('"', '%22')}"`
  const verify = platform.startsWith('darwin') ? 'shasum -a 256 -c' : 'sha256sum -c'
  return `curl -fLo omen ${shellQuote(url)} &&\n  echo '${sha256}  omen' | ${verify} &&\n  chmod +x omen`
}
