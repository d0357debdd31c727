import type { Cloud } from '../../../../wire/cloud.ts'

/** The address that people open. The provider sends them back to it; the test's browser finds the cloud there. */
export const PUBLIC_URL = 'https://plantroom.example'

interface Visit {
  status: number
  /** The last address, with the public one for pages of the cloud. */
  url: URL
  body: string
}

/** A browser: one cookie jar per origin, and redirects that it follows itself. */
export function openBrowser(cloud: Cloud) {
  const jars = new Map<string, Map<string, string>>()
  const jar = (origin: string) => {
    const found = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, found)
    return found
  }
  const cookies = (origin = PUBLIC_URL) => [...jar(origin)].map(([name, value]) => `${name}=${value}`).join('; ')

  async function send(url: URL, init: { method?: string; body?: unknown; headers?: Record<string, string> } = {}) {
    const isOwn = url.origin === PUBLIC_URL
    const target = isOwn ? `http://127.0.0.1:${cloud.ready.port}${url.pathname}${url.search}` : url.href
    const body = init.body === undefined ? undefined : JSON.stringify(init.body)
    const response = await fetch(target, {
      method: init.method ?? 'GET',
      redirect: 'manual',
      headers: {
        cookie: cookies(url.origin),
        accept: 'text/html',
        ...(isOwn && init.method && { origin: PUBLIC_URL }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...init.headers,
      },
      ...(body !== undefined && { body }),
    })
    for (const header of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = header.split(/; */)
      const name = pair.slice(0, pair.indexOf('='))
      const isGone = attributes.some((text) => /^max-age=0$|^expires=thu, 01 jan 1970/i.test(text))
      if (isGone) jar(url.origin).delete(name)
      else jar(url.origin).set(name, pair.slice(name.length + 1))
    }
    return response
  }

  return {
    cookies,
    setCookie: (name: string, value: string) => void jar(PUBLIC_URL).set(name, value),

    /** Calls the API from one of its pages. */
    async call(method: string, path: string, body?: unknown) {
      const response = await send(new URL(path, PUBLIC_URL), { method, body })
      const text = await response.text()
      return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) }
    },

    /** Opens an address and follows redirects, until a page or until `stopAt` is where the next one leads. */
    async open(
      address: string,
      options: { stopAt?: (url: URL) => boolean; headers?: Record<string, string> } = {},
    ): Promise<Visit> {
      let url = new URL(address, PUBLIC_URL)
      for (let count = 0; count < 20; count += 1) {
        const response = await send(url, { ...(options.headers && { headers: options.headers }) })
        const location = response.headers.get('location')
        const body = await response.text()
        if (location === null) return { status: response.status, url, body }
        url = new URL(location, url)
        if (options.stopAt?.(url)) return { status: response.status, url, body }
        // The pages of the console are not built here.
        if (url.origin === PUBLIC_URL && !url.pathname.startsWith('/api/')) return { status: 200, url, body }
      }
      throw new Error(`too many redirects, the last to ${url}`)
    },
  }
}

/** True for the address to which the provider sends a browser back. */
export const isCallback = (url: URL) => url.origin === PUBLIC_URL && url.pathname === '/api/session/oidc/callback'
