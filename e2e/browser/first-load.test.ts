import { expect, sitePath, startSession, test } from './support/test.ts'

/** Counts what was requested before the first content, what moved, and the bytes of script. */
const WATCH = `
  globalThis.moved = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.moved += value
  }).observe({ type: 'layout-shift', buffered: true })
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector('main h1')) return
    observer.disconnect()
    const before = performance.getEntriesByType('resource')
    globalThis.before = before.map(({ name }) => new URL(name).pathname)
    const scripts = before.filter(({ name }) => name.endsWith('.js'))
    globalThis.scriptBytes = scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  }).observe(document, { childList: true, subtree: true })
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector('#held-now')) return
    observer.disconnect()
    globalThis.beforeHeld = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  }).observe(document, { childList: true, subtree: true })`

test('the frame of a page is in the document itself', async ({ browser, demo }) => {
  await using context = await browser.newContext({ javaScriptEnabled: false, baseURL: demo.baseUrl })
  const page = await context.newPage()
  await page.goto(sitePath(demo), { waitUntil: 'commit' })
  const frame = page.locator('#frame')
  await expect(frame.locator('header')).toHaveText('Plantroom')
  await expect(frame.locator('nav')).toBeVisible()
  // Its own styles have their nonce.
  expect((await frame.locator('header').boundingBox())?.height).toBe(48)
})

test('the first content of a site needs few requests, and nothing moves much', async ({ page, demo, viewer }) => {
  await startSession(page, demo, viewer)
  await page.addInitScript(WATCH)
  const refused: string[] = []
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  // What the page shows is read while its script is on its way, once.
  const device = `/api/orgs/${demo.orgId}/devices/${demo.deviceId}`
  const early = ['/api/session', `/api/orgs/${demo.orgId}/devices`, `${device}/technical-systems`]
  const reads = [...early, `${device}/live`].map((path) =>
    page.waitForRequest((request) => new URL(request.url()).pathname === path),
  )
  await page.route('**/assets/start-*.js', async (route) => {
    await Promise.all(reads)
    await route.continue()
  })
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
  await page.goto(sitePath(demo))
  await expect(page.getByRole('heading', { name: 'Controllers' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /Loading|Contacting/ })).toHaveCount(0)
  await expect(page.locator('#frame')).toBeHidden()
  const before = await page.evaluate<string[]>('before')
  const files = before.filter((path) => !path.startsWith('/api/'))
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(6)
  expect(await page.evaluate<number>('scriptBytes')).toBeLessThan(160_000)
  for (const path of early) expect(asked.filter((each) => each === path)).toEqual([path])
  // What is held needs no further script.
  const beforeHeld = await page.evaluate<string[]>('beforeHeld')
  expect(beforeHeld.filter((path) => path.endsWith('.js'))).toHaveLength(3)
  expect(await page.evaluate<number>('moved')).toBeLessThan(0.1)
  expect(refused).toEqual([])
})
