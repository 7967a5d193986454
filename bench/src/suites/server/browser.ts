import { type Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** As much of a browser as redirects and cookies need. */
export interface Browser {
  /** Sends one request, with the cookies that its host has set. */
  send(url: string, post?: Post): Promise<Answer>
  /** Follows redirects up to this address, whatever its query is: gives it, and does not open it. */
  followTo(url: string, end: string): Promise<string>
  /** The cookies for an address, as a header. */
  cookiesFor(url: string): string
}

const MOST_REDIRECTS = 10

/**
 * A browser without cookies, on connections that others may use, too.
 *
 * @example
 * const browser = createBrowser(new Agent({ keepAlive: true }))
 * await browser.followTo(`${url}/v1/auth/login?email=alice@acme.com`, `${url}/`)
 */
export function createBrowser(agent: Agent): Browser {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string) => {
    const { host } = new URL(url)
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    return jar
  }
  const cookiesFor = (url: string) => [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ')
  const send = async (url: string, post?: Post) => {
    const cookie = cookiesFor(url)
    const answer = await exchange(agent, url, { accept: 'text/html', ...(cookie && { cookie }) }, post)
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jarOf(url).delete(name)
      else jarOf(url).set(name, value)
    }
    return answer
  }
  return {
    send,
    cookiesFor,
    async followTo(url, end) {
      let at = url
      for (let steps = 0; steps < MOST_REDIRECTS; steps++) {
        const { status, headers, body } = await send(at)
        if (headers.location === undefined) throw new Error(`${at} answered ${status}: ${body.slice(0, 300)}`)
        at = new URL(headers.location, at).href
        if (at.split('?', 1)[0] === end) return at
      }
      throw new Error(`redirects without end, at last to ${at}`)
    },
  }
}

function exchange(
  agent: Agent,
  url: string,
  headers: Readonly<Record<string, string>>,
  post: Post | undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { agent, method: post ? 'POST' : 'GET', headers: { ...headers, ...post?.headers } }
    const sent = request(url, options, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(post?.body)
  })
}
