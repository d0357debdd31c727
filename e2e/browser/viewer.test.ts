import type { Page } from '@playwright/test'
import { readRegister } from './support/equipment.ts'
import { datapointRow, expect, LONG, signIn, sitePath, test } from './support/test.ts'

/** Sends a request from the page with its session, as anyone can in the browser's developer tools. */
async function forge(
  page: Page,
  method: string,
  path: string,
  body: object,
): Promise<{ status: number; text: string }> {
  const init = JSON.stringify({ method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return await page.evaluate(
    `fetch(${JSON.stringify(path)}, ${init}).then(async (answer) => ({ status: answer.status, text: await answer.text() }))`,
  )
}

test.describe('a viewer', () => {
  test('sees live values but cannot change them, not even through the API', async ({ page, demo, viewer }) => {
    await signIn(page, viewer, sitePath(demo, `/devices/${demo.deviceId}`))
    await expect(datapointRow(page, 'Charge power')).toContainText('Not held')
    await expect(page.getByRole('button', { name: /Override|Release/ })).toHaveCount(0)

    const before = await readRegister(demo, 'Charge power')
    const inverter = demo.connections.find(({ name }) => name === 'Inverter')
    const datapointId = inverter?.datapoints.find(({ name }) => name === 'Charge power')?.id
    const span = { from: new Date().toISOString(), to: new Date(Date.now() + 600_000).toISOString() }
    const path = `/api/orgs/${demo.orgId}/edge-device-admin/${demo.deviceId}/cmd/demandResponseOverride`
    const { status, text } = await forge(page, 'POST', path, { data: { datapointId, value: 33, ...span } })
    expect(status, text).toBe(403)
    expect(await readRegister(demo, 'Charge power')).toBe(before)
  })

  test('cannot use the settings of other roles, not even through the API', { tag: LONG }, async ({
    page,
    demo,
    viewer,
  }) => {
    await signIn(page, viewer, sitePath(demo))
    const navigation = page.getByRole('navigation')
    await expect(navigation.getByRole('link', { name: 'Audit log' })).toBeVisible()
    for (const name of ['Mail outbox', 'API keys', 'Members']) {
      await expect(navigation.getByRole('link', { name })).toHaveCount(0)
    }
    await page.goto(sitePath(demo, '/settings/keys'))
    await expect(page.getByRole('main')).not.toContainText('Revoke')

    const org = `/api/orgs/${demo.orgId}`
    for (const [method, path, body] of [
      ['POST', `${org}/api-keys`, { name: 'Mine', permissions: ['ticket:read_write'], siteIds: null }],
      ['POST', `${org}/members`, { email: 'friend@example.com', role: 'admin' }],
      ['PATCH', `${org}/sites/${demo.propertyId}`, { name: 'Mine now' }],
      ['POST', `${org}/properties/${demo.propertyId}/tickets`, { title: 'Mine' }],
      ['POST', `${org}/properties/${demo.propertyId}/ticket-packages/export`, {}],
    ] as const) {
      expect((await forge(page, method, path, body)).status, `${method} ${path}`).toBe(403)
    }
  })
})
