import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { createLog } from '@plantroom/base/log'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ConsoleOptions, consoleRoutes } from './console.ts'
import { createServer } from './server.ts'

const PAGE = '<meta name="style-nonce" content="__STYLE_NONCE__"><style nonce="__STYLE_NONCE__"></style>'
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
    'assets/.hidden': 'not for you',
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

describe('the page of the console', () => {
  test.each(['/', '/?a=b', '/sign-in', '/setup?token=x', '/o/org_1/s/site_1/devices/dev_1', '/apiary', '/assetsx'])(
    'is at %s',
    async (url) => {
      const { get } = await start()
      const answer = await get(url)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.body).toMatch(/^<meta name="style-nonce" content="[\w-]{22}">/)
    },
  )

  test('is the one that was built last, also while the service runs', async () => {
    const folder = await builtConsole()
    const { get } = await start({ folder })
    await writeFile(join(folder, 'index.html'), 'built anew')
    expect([(await get('/')).body, (await get('/sign-in')).body]).toEqual(['built anew', 'built anew'])
  })

  test('is kept by nobody, embedded by nobody, and says to nobody where one came from', async () => {
    const { get } = await start()
    const { headers } = await get('/')
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; ")
    expect(headers['strict-transport-security']).toBeUndefined()
  })

  test('has a nonce of its own every time, the one that its policy names', async () => {
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

  test('keeps browsers to TLS once they came by it', async () => {
    const { get } = await start({ secure: true })
    expect((await get('/')).headers['strict-transport-security']).toBe('max-age=31536000')
  })

  test('may send packages to the bucket', async () => {
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
  ])('is not at %s: what a program looks for and does not find is 404 as JSON', async (url) => {
    const { get } = await start()
    const answer = await get(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is not for programs, that do not ask for HTML', async () => {
    const { app, get } = await start()
    expect((await get('/no-such-place', { accept: '*/*' })).statusCode).toBe(404)
    expect((await get('/no-such-place', {})).statusCode).toBe(404)
    expect((await app.inject({ method: 'POST', url: '/sign-in', headers: { accept: 'text/html' } })).statusCode).toBe(
      404,
    )
    expect((await get('/api/orgs')).json()).toEqual({ organizations: [] })
  })
})

describe('what the page loads', () => {
  test('is kept for a year, as its name changes with it', async () => {
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
  ])('comes as %s to who takes %s', async (encoding, accepted, bytes) => {
    const { get } = await start()
    const answer = await get('/assets/index-abc.js', { 'accept-encoding': accepted })
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(answer.headers['content-type']).toContain('javascript')
    expect(answer.rawPayload.equals(bytes)).toBe(true)
    expect(String(answer.headers.vary).toLowerCase()).toBe('accept-encoding')
  })

  test('comes as it is where it was not worth compressing', async () => {
    const { get } = await start()
    expect((await get('/assets/font-def.woff2', { 'accept-encoding': 'br' })).body).toBe('font')
  })

  test.each(['/theme.js', '/favicon.svg'])('%s, whose name stays, is kept for minutes', async (url) => {
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
  ])('is nothing else that lies there: %s', async (url) => {
    const { get } = await start()
    const answer = await get(url, {})
    expect([400, 404]).toContain(answer.statusCode)
    expect(answer.body).not.toMatch(/stamp|not for you|style-nonce/)
  })
})

describe('without a console that was built', () => {
  test('/ leads to the reference of the API, and the log says how to build one', async () => {
    const { get, warnings } = await start({ folder: join(temporaryFolder(), 'none') })
    const answer = await get('/')
    expect(answer.statusCode).toBe(302)
    expect(answer.headers.location).toBe('/docs/')
    expect((await get('/sign-in')).statusCode).toBe(404)
    expect(warnings).toEqual([expect.stringContaining('node tools/src/build-console.ts')])
  })
})
