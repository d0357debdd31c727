import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, startTestCloud } from '../../testing/cloud.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
beforeAll(async () => {
  cloud = await startTestCloud()
})
afterAll(() => cloud.stop())

describe('the API description', () => {
  test('matches docs/reference/openapi.json', async () => {
    const { body } = await call(cloud, 'GET', '/openapi.json')
    const committed = join(import.meta.dirname, '../../../../../docs/reference/openapi.json')
    await expect(`${JSON.stringify(body, null, 2)}\n`).toMatchFileSnapshot(committed)
  })

  test('contains every route except its own', async () => {
    const { body } = await call(cloud, 'GET', '/openapi.json')
    const described = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const routes = cloud.routes
      .flatMap(({ method, url }) => [method].flat().map((name) => `${name} ${url.replace(/:(\w+)/g, '{$1}')}`))
      .filter(
        (route) =>
          !route.startsWith('HEAD ') &&
          !/ (\/docs.*|\/help.*|\/openapi.json|\/|\/\*|\/assets\/\*|.*\{command\})$/.test(route),
      )
    expect(described.toSorted()).toEqual([...new Set(routes)].toSorted())
  })

  test('is shown by a page that loads nothing from elsewhere', async () => {
    const page = await call(cloud, 'GET', '/docs/')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const links = [...String(page.body.text).matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(links.length).toBeGreaterThan(3)
    for (const link of links) {
      expect(link).toMatch(/^\.\/|^\/help\/assets\//)
      expect((await call(cloud, 'GET', link.replace(/^\.\//, '/docs/'))).status).toBe(200)
    }
    // Otherwise the page would send the description to a validator on another host.
    const start = await call(cloud, 'GET', '/docs/static/start.js')
    expect(start.body.text).toContain('validatorUrl: null')
  })

  test.each(['/docs/static/index.html', '/docs/static/..%2fpackage.json', '/docs/static/constructor'])(
    'has no file %s',
    async (path) => {
      expect((await call(cloud, 'GET', path)).status).toBe(404)
    },
  )
})

describe('operation', () => {
  test('/healthz and /readyz report that all dependencies are available', async () => {
    const { body } = await call(cloud, 'GET', '/healthz')
    expect(body).toEqual({ status: 'ok', instance: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect((await call(cloud, 'GET', '/readyz')).body).toEqual({
      status: 'ok',
      database: 'ok',
      changes: 'ok',
      broker: 'ok',
      disk: 'ok',
      process: 'ok',
    })
  })

  test('/metrics counts answers by route, without series for unknown paths', async () => {
    await call(cloud, 'GET', '/no-such-place')
    const { body } = await call(cloud, 'GET', '/metrics')
    expect(body.text).toContain('plantroom_http_answers_total{method="GET",route="/readyz",status="200"}')
    expect(body.text).toContain('plantroom_devices_online 0')
    expect(body.text).not.toContain('no-such-place')
    // As promtool check metrics has it.
    const misnamed = [...String(body.text).matchAll(/^# TYPE (\S+) (\S+)$/gm)].filter(
      ([, name = '', type]) => name.endsWith('_total') !== (type === 'counter'),
    )
    expect(misnamed.map(([line]) => line)).toEqual([])
  })

  test('an unknown path answers 404 in the common format', async () => {
    const { status, body } = await call(cloud, 'GET', '/no-such-place')
    expect(status).toBe(404)
    expect(body).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('/no-such-place') })
  })
})
