import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { createLog } from '@plantroom/base/log'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ConsoleOptions, consoleRoutes } from './console.ts'
import { createServer } from './server.ts'

const COLORS = "document.title = 'dark'"
const PAGE = `<meta name="style-nonce" content="__STYLE_NONCE__"><style nonce="__STYLE_NONCE__"></style><script>${COLORS}</script>`
const SCRIPT = `console.log('${'x'.repeat(2_000)}')`

async function builtConsole(): Promise<string> {
  const folder = temporaryFolder()
  await mkdir(join(folder, 'assets'))
  await mkdir(join(folder, '.vite'))
  const files: Record<string, string | Buffer> = {
    'index.html': PAGE,
    'theme.js': 'theme()',
    'favicon.svg': '<svg/>',
    '.built-from': 'stamp',
    '.vite/manifest.json': '{}',
    'assets/index-abc.js': SCRIPT,
    'assets/index-abc.js.br': brotliCompressSync(SCRIPT),
    'assets/index-abc.js.gz': gzipSync(SCRIPT),
    'assets/font-def.woff2': 'font',
    'assets/.hidden': 'private text',
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

async function start(changes: Partial<ConsoleOptions> = {}) {
  const warnings: string[] = []
  const log = { ...createLog('test', 'silent'), warn: (text: string) => void warnings.push(text) }
  const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
  app.get('/api/orgs', async () => ({ organizations: [] }))
  const folder = changes.folder ?? (await builtConsole())
  await consoleRoutes(app, {
    folder,
    uploadsTo: undefined,
    secure: false,
    log: log as unknown as ConsoleOptions['log'],
    ...changes,
  })
  onTestFinished(() => app.close())
  const get = (url: string, headers: Record<string, string> = { accept: 'text/html,*/*;q=0.8' }) =>
    app.inject({ method: 'GET', url, headers })
  return { app, get, warnings }
}

describe('the console page', () => {
  test.each(['/', '/?a=b', '/sign-in', '/setup', '/o/org_1/s/site_1/devices/dev_1', '/apiary', '/assetsx'])(
    'is served at %s',
    async (url) => {
      const { get } = await start()
      const answer = await get(url)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.body).toMatch(/^<meta name="style-nonce" content="[\w-]{22}">/)
    },
  )

  test('is the latest build, even while the service runs', async () => {
    const folder = await builtConsole()
    const { get } = await start({ folder })
    await writeFile(join(folder, 'index.html'), 'new build')
    expect([(await get('/')).body, (await get('/sign-in')).body]).toEqual(['new build', 'new build'])
  })

  test('forbids caching, embedding and referrers', async () => {
    const { get } = await start()
    const { headers } = await get('/')
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    const hash = createHash('sha256').update(COLORS).digest('base64')
    expect(headers['content-security-policy']).toContain(`default-src 'none'; script-src 'self' 'sha256-${hash}'; `)
    expect(headers['strict-transport-security']).toBeUndefined()
  })

  test('has a new nonce every time, which its policy names', async () => {
    const { get } = await start()
    const nonces = new Set<string>()
    for (let times = 0; times < 5; times += 1) {
      const { body, headers } = await get('/')
      const [, nonce = ''] = /style-src 'self' 'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? []
      expect(body).toBe(PAGE.replaceAll('__STYLE_NONCE__', nonce))
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(5)
  })

  test('requires TLS once it was used', async () => {
    const { get } = await start({ secure: true })
    expect((await get('/')).headers['strict-transport-security']).toBe('max-age=31536000')
  })

  test('allows uploads to the bucket', async () => {
    const { get } = await start({ uploadsTo: 'https://s3.example.com' })
    expect((await get('/')).headers['content-security-policy']).toContain("connect-src 'self' https://s3.example.com;")
  })

  test.each([
    '/api/none',
    '/api',
    '/docs/none',
    '/healthz/none',
    '/uploads/none',
    '/downloads/none',
    '/schemas/none.json',
    '/assets/index-gone.js',
    '/assets/',
  ])('is not served at %s, which answers 404 with JSON', async (url) => {
    const { get } = await start()
    const answer = await get(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is not served to programs that do not accept HTML', async () => {
    const { app, get } = await start()
    expect((await get('/no-such-place', { accept: '*/*' })).statusCode).toBe(404)
    expect((await get('/no-such-place', {})).statusCode).toBe(404)
    expect((await app.inject({ method: 'POST', url: '/sign-in', headers: { accept: 'text/html' } })).statusCode).toBe(
      404,
    )
    expect((await get('/api/orgs')).json()).toEqual({ organizations: [] })
  })
})

describe('the assets of the console', () => {
  test('are cached for a year, because their names change with their content', async () => {
    const { get } = await start()
    const answer = await get('/assets/index-abc.js', {})
    expect(answer.body).toBe(SCRIPT)
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript'),
      'x-content-type-options': 'nosniff',
    })
  })

  test.each([
    ['br', 'gzip, deflate, br', brotliCompressSync(SCRIPT)],
    ['gzip', 'gzip, deflate', gzipSync(SCRIPT)],
    [undefined, 'identity', Buffer.from(SCRIPT)],
  ])('are sent as %s to clients that accept %s', async (encoding, accepted, bytes) => {
    const { get } = await start()
    const answer = await get('/assets/index-abc.js', { 'accept-encoding': accepted })
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(answer.headers['content-type']).toContain('javascript')
    expect(answer.rawPayload.equals(bytes)).toBe(true)
    expect(String(answer.headers.vary).toLowerCase()).toBe('accept-encoding')
  })

  test('are sent uncompressed when there is no compressed version', async () => {
    const { get } = await start()
    expect((await get('/assets/font-def.woff2', { 'accept-encoding': 'br' })).body).toBe('font')
  })

  test.each(['/theme.js', '/favicon.svg'])('cache %s, which has a fixed name, for minutes', async (url) => {
    const { get } = await start()
    const answer = await get(url)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('public, max-age=300')
  })

  test.each([
    '/.built-from',
    '/.vite/manifest.json',
    '/assets/.hidden',
    '/assets/../index.html',
    '/assets/..%2findex.html',
    '/assets/%2e%2e/.built-from',
    '/assets/..%5c.built-from',
    '/assets/%00',
    '/assets/%zz',
  ])('do not include %s', async (url) => {
    const { get } = await start()
    const answer = await get(url, {})
    expect([400, 404]).toContain(answer.statusCode)
    expect(answer.body).not.toMatch(/stamp|private text|style-nonce/)
  })
})

describe('without a built console', () => {
  test('/ redirects to the API reference, and the log says how to build the console', async () => {
    const { get, warnings } = await start({ folder: join(temporaryFolder(), 'none') })
    const answer = await get('/')
    expect(answer.statusCode).toBe(302)
    expect(answer.headers.location).toBe('/docs/')
    expect((await get('/sign-in')).statusCode).toBe(404)
    expect(warnings).toEqual([expect.stringContaining('node tools/src/build-console.ts')])
  })
})
