import { createClient } from '@plantroom/client/client'
import { sendWithKey } from '@plantroom/client/http'
import { checkAxe, lookAt } from './support/look.ts'
import { SITE_PAGES } from './support/site-pages.ts'
import { expect, startSession, test } from './support/test.ts'

for (const [name, path] of [
  ['sign-in', '/sign-in'],
  ['set-up', '/setup#none'],
  ['reset', '/reset'],
  ['welcome', '/welcome#none'],
] as const) {
  test(`before sign-in: ${name}`, async ({ page }) => {
    await page.goto(path)
    await lookAt(page)
  })
}

test('the API reference', async ({ page }) => {
  await page.goto('/docs/#/Alerts%20and%20webhooks/listAlerts')
  await expect(page.getByRole('combobox', { name: 'kind' })).toBeVisible()
  // One operation of each method is enough: the whole page takes a minute.
  const operations = ['listAlerts', 'setAlertRules', 'addWebhook', 'changeWebhook', 'removeWebhook']
  const parts = operations.map((operation) => `[id="operations-Alerts_and_webhooks-${operation}"]`)
  await checkAxe(page, [], ['.information-container', ...parts])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
})

for (const [name, path] of SITE_PAGES) {
  test(`for an admin: ${name}`, async ({ page, demo }) => {
    const client = createClient(sendWithKey(demo.baseUrl, demo.apiKey))
    const { orgId, propertyId } = demo
    const [known] = (await client.listRequests({ orgId, propertyId, query: { limit: 1 } })).tickets
    const body = { title: 'Light is out', description: 'In the stairwell.' }
    const { number } = known ?? (await client.addRequest({ orgId, propertyId, body }))
    await startSession(page, demo, demo.user)
    await page.goto(path(demo, number))
    await lookAt(page)
  })
}
