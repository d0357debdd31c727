import { createClient } from '@plantroom/client/client'
import { createCommands } from '@plantroom/client/commands'
import { sendWithKey, sendWithToken } from '@plantroom/client/http'
import { startController } from '../support/controller.ts'
import { ownFolder } from '../support/folder.ts'
import { holdForAWhile } from './support/hold.ts'
import { checkAxe } from './support/look.ts'
import { addPerson } from './support/people.ts'
import { expect, sitePath, startSession, test } from './support/test.ts'

test('a person removes a controller that holds something only after a second confirmation', async ({ page, demo }) => {
  await using cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(ownFolder()).path
  const admin = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const { id: orgId } = await admin.addOrganization({ body: { name: `Removal ${Date.now()}` } })
  const { id: siteId } = await admin.addSite({ orgId, body: { name: 'Old Mill', maintenanceRequests: true } })
  const connect = () => ({ MQTT_URL: demo.mqttUrl })
  const { deviceId, datapointId } = await startController(cleanup, { folder, admin, orgId, siteId, connect })
  const permissions = ['edge-device:read_write'] as const
  const { apiKey } = await admin.createKey({ orgId, body: { name: 'Partner', permissions, siteIds: null } })
  const partner = createClient(sendWithKey(demo.baseUrl, apiKey))
  await holdForAWhile(createCommands(partner, { orgId, deviceId }), datapointId, 5)

  const at = { ...demo, orgId, propertyId: siteId }
  await startSession(page, demo, await addPerson(at, 'admin'))
  await page.goto(sitePath(at, '/settings/systems'))
  await page.getByRole('button', { name: /^Remove / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Remove controller' }).click()
  await expect(dialog.getByRole('alert')).toContainText('still holds datapoints')
  await checkAxe(page, ['[role=dialog]'])
  expect((await admin.listDevices({ orgId, query: {} })).devices).toHaveLength(1)
  await dialog.getByRole('button', { name: 'Remove anyway' }).click()
  await expect(dialog).toBeHidden()
  expect((await admin.listDevices({ orgId, query: {} })).devices).toEqual([])
})
