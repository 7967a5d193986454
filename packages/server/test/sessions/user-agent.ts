/** A browser that follows redirects and keeps cookies. */
export interface UserAgent {
  /** Follows redirects; gives the last response and all URLs on the way. */
  open(url: string, init?: RequestInit): Promise<{ readonly response: Response; readonly way: readonly string[] }>
}

const MOST_REDIRECTS = 20

export function createUserAgent(): UserAgent {
  const jars = new Map<string, Map<string, string>>()
  const send = async (url: string, init: RequestInit) => {
    const jar = jars.get(new URL(url).origin) ?? new Map<string, string>()
    jars.set(new URL(url).origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', ...(init.headers as Record<string, string>), ...(cookie && { cookie }) }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
  return {
    open: async (url, init = {}) => {
      const way = [url]
      let response = await send(url, init)
      while (response.headers.get('location') !== null) {
        if (way.length > MOST_REDIRECTS) throw new Error(`redirects without end: ${way.join(' ')}`)
        const next = new URL(response.headers.get('location')!, way.at(-1)).href
        await response.arrayBuffer()
        way.push(next)
        response = await send(next, {})
      }
      return { response, way }
    },
  }
}
