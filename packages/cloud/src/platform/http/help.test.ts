import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createLog } from '@plantroom/base/log'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { helpRoutes } from './help.ts'
import { createServer } from './server.ts'

const FILES: Readonly<Record<string, string | Buffer>> = {
  'index.html': 'first page',
  '404.html': 'not found, search',
  'how-to/monitor.html': 'monitor',
  'how-to/monitor.html.gz': gzipSync('monitor'),
  'files/deploy/haproxy.cfg.html': 'haproxy',
  'assets/help-abc.js': 'script()',
  'images/console.png': 'picture',
  '.built-from': 'private stamp',
}

async function start(secure = false) {
  const parent = temporaryFolder()
  const folder = join(parent, 'dist')
  for (const [name, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  await writeFile(join(parent, 'outside.html'), 'private page')
  const app = createServer({ tls: undefined, log: createLog('test', 'silent') })
  await helpRoutes(app, { folder, secure })
  onTestFinished(() => app.close())
  return {
    app,
    folder,
    get: (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers }),
  }
}

test.each([
  ['/help/', 'first page'],
  ['/help/?q=x', 'first page'],
  ['/help/how-to/monitor', 'monitor'],
  ['/help/how-to/monitor/', 'monitor'],
  ['/help/files/deploy/haproxy.cfg', 'haproxy'],
])('%s is a page that loads nothing from elsewhere and needs no sign-in', async (url, text) => {
  const { get } = await start()
  const answer = await get(url)
  expect([answer.statusCode, answer.body]).toEqual([200, text])
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=0',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  const policy = String(answer.headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; ")
  expect(policy).not.toMatch(/unsafe|nonce|data:|http/)
})

test('/help redirects to the first page, and pages are sent compressed', async () => {
  const { get } = await start()
  expect((await get('/help')).headers.location).toBe('/help/')
  const answer = await get('/help/how-to/monitor', { 'accept-encoding': 'gzip' })
  expect(answer.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(answer.rawPayload).toString()).toBe('monitor')
})

test('assets are cached for a year, pictures for minutes', async () => {
  const { get } = await start()
  expect((await get('/help/assets/help-abc.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await get('/help/images/console.png')).headers['cache-control']).toBe('public, max-age=300')
})

test('pages over TLS require TLS from then on', async () => {
  const { get } = await start(true)
  expect((await get('/help/')).headers['strict-transport-security']).toBe('max-age=31536000')
})

test.each([
  '/help/none',
  '/help/how-to',
  '/help/how-to/monitor.html',
  '/help/404',
  '/help/../outside',
  '/help/..%2foutside',
  '/help/%2e%2e/outside',
  '/help/..%5coutside',
  '/help//outside',
  '/help/.built-from',
  '/help/%00',
  '/help/how-to/monitor%00',
  `/help/${'x'.repeat(5000)}`,
  '/help/assets/none.js',
  '/help/assets/..%2f.built-from',
  '/help/images/../.built-from',
])('%s answers with 404 and nothing private', async (url) => {
  const { get } = await start()
  const answer = await get(url)
  expect([400, 404, 414]).toContain(answer.statusCode)
  expect(answer.body).not.toMatch(/private/)
})

test('an unknown page has a search', async () => {
  const { get } = await start()
  expect((await get('/help/how-to/none')).body).toBe('not found, search')
})

test('without a build, the answer says how to make one', async () => {
  const { get, folder } = await start()
  await rm(folder, { recursive: true })
  const answer = await get('/help/')
  expect(answer.statusCode).toBe(404)
  expect(answer.json().message).toContain('node tools/src/build-console.ts')
})
