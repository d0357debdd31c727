import { createClient } from '@plantroom/client/client'
import { sendWithKey } from '@plantroom/client/http'
import type { DemoJson } from '../support/demo.ts'
import { checkAxe, lookAt } from './support/look.ts'
import { expect, sitePath, startSession, test } from './support/test.ts'

for (const [name, path] of [
  ['sign-in', '/sign-in'],
  ['set-up', '/setup#none'],
  ['reset', '/reset'],
  ['welcome', '/welcome#none'],
] as const) {
  test(`before sign-in: ${name}`, async ({ page }) => {
    await page.goto(path)
    await lookAt(page, name)
  })
}

test('the API reference', async ({ page }) => {
  await page.goto('/docs/')
  const operation = page.getByRole('button', { name: /GET .*alerts List alerts/ })
  await operation.click()
  await expect(page.getByRole('combobox', { name: 'kind' })).toBeVisible()
  await checkAxe(page)
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
})

const PAGES: readonly (readonly [name: string, path: (demo: DemoJson, number: number) => string])[] = [
  ['site', (demo) => sitePath(demo)],
  ['device', (demo) => sitePath(demo, `/devices/${demo.deviceId}`)],
  ['device-chart', (demo) => sitePath(demo, `/devices/${demo.deviceId}?datapoint=${chargePower(demo)}`)],
  ['alerts', (demo) => sitePath(demo, '/alerts')],
  ['reports', (demo) => sitePath(demo, '/reports')],
  ['requests', (demo) => sitePath(demo, '/requests')],
  ['request', (demo, number) => sitePath(demo, `/requests/${number}`)],
  ['packages', (demo) => sitePath(demo, '/settings/packages')],
  ['site-settings', (demo) => sitePath(demo, '/settings/site')],
  ['systems', (demo) => sitePath(demo, '/settings/systems')],
  ['outbox', (demo) => sitePath(demo, '/settings/outbox')],
  ['people', (demo) => sitePath(demo, '/settings/people')],
  ['keys', (demo) => sitePath(demo, '/settings/keys')],
  ['members', (demo) => sitePath(demo, '/settings/members')],
  ['alert-settings', (demo) => sitePath(demo, '/settings/alerts')],
  ['activity', (demo) => sitePath(demo, '/settings/activity')],
  ['account', () => '/account'],
  ['not-found', () => '/nowhere'],
]

function chargePower(demo: DemoJson): string {
  const datapoints = demo.connections.flatMap((connection) => connection.datapoints)
  return datapoints.find(({ name }) => name === 'Charge power')?.id ?? ''
}

for (const [name, path] of PAGES) {
  test(`for an admin: ${name}`, async ({ page, demo }) => {
    const client = createClient(sendWithKey(demo.baseUrl, demo.apiKey))
    const { orgId, propertyId } = demo
    const [known] = (await client.listRequests({ orgId, propertyId, query: { limit: 1 } })).tickets
    const body = { title: 'Light is out', description: 'In the stairwell.' }
    const { number } = known ?? (await client.addRequest({ orgId, propertyId, body }))
    await startSession(page, demo, demo.user)
    await page.goto(path(demo, number))
    await lookAt(page, name)
  })
}
