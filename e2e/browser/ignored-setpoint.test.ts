import { type Client, createClient, type OperationInput } from '@plantroom/client/client'
import { createCommands } from '@plantroom/client/commands'
import { sendWithKey, sendWithToken } from '@plantroom/client/http'
import type { Page } from '@playwright/test'
import { heatPump } from '../support/building.ts'
import { startController } from '../support/controller.ts'
import { ownFolder } from '../support/folder.ts'
import { readSetpoints } from '../support/override-setpoints.ts'
import { holdForAWhile } from './support/hold.ts'
import { addPerson } from './support/people.ts'
import { datapointRow, expect, LONG, sitePath, startSession, test } from './support/test.ts'

const NAME = 'Charge power'

const numberOf = (page: Page) => Number(page.url().split('/').at(-1))

/** Downloads an attachment of a request. */
async function attachedText(client: Client, where: OperationInput<'getRequest'>, name: string): Promise<string> {
  const { attachments } = await client.getRequest(where)
  const attachmentId = attachments.find((each) => each.name === name)?.id ?? ''
  const { url } = await client.getAttachmentUrl({ ...where, attachmentId })
  return (await fetch(url)).text()
}

test('equipment that ignores a setpoint is shown at its own value, and equipment that is gone with its last one', {
  tag: LONG,
}, async ({ page, demo }) => {
  await using cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(ownFolder()).path
  const admin = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const { id: orgId } = await admin.addOrganization({ body: { name: `Stubborn ${Date.now()}` } })
  const { id: siteId } = await admin.addSite({ orgId, body: { name: 'Old Mill', maintenanceRequests: true } })
  const connect = () => ({ MQTT_URL: demo.mqttUrl })
  const controller = await startController(cleanup, { folder, admin, orgId, siteId, connect })
  const { deviceId, datapointId, equipment } = controller
  const before = (await readSetpoints(equipment))[NAME]
  const at = { ...demo, orgId, propertyId: siteId }
  const manager = await addPerson(at, 'manager')

  const rules = await admin.getAlertRules({ orgId })
  const soon = { enabled: true, openAfterSeconds: 1, closeAfterSeconds: 1 }
  const early = { 'setpoint-not-taken': soon, 'connection-lost': soon }
  await admin.setAlertRules({ orgId, body: { ...rules, rules: { ...rules.rules, ...early } } })
  const openAlerts = async (kind: keyof typeof early) =>
    (await admin.listAlerts({ orgId, query: { open: 'true', kind } })).alerts.length

  controller.misbehave(['modbus:ignore-writes'])
  const permissions = ['edge-device:read_write'] as const
  const { apiKey } = await admin.createKey({ orgId, body: { name: 'Partner', permissions, siteIds: null } })
  const client = createClient(sendWithKey(demo.baseUrl, apiKey))
  const overrideId = await holdForAWhile(createCommands(client, { orgId, deviceId }), datapointId, before + 5)

  await startSession(page, demo, manager)
  await page.goto(sitePath(at))
  const card = page.getByRole('article').filter({ has: page.getByRole('link', { name: NAME, exact: true }) })
  await expect(card).toContainText(new RegExp(`Held at\\s*${before + 5}\\skW\\s*Equipment at\\s*${before}\\skW`))
  await expect(card.getByRole('alert')).toBeVisible()
  await card.getByRole('link', { name: NAME, exact: true }).click()
  const row = datapointRow(page, NAME)
  await expect(row).toContainText(new RegExp(`${before}\\skW`))
  await expect(row).toContainText(new RegExp(`Held at ${before + 5}\\skW`))
  await expect(row).not.toContainText('cannot be read')
  expect((await readSetpoints(equipment))[NAME]).toBe(before)

  await expect.poll(() => openAlerts('setpoint-not-taken'), { timeout: 90_000 }).toBe(1)
  await page.goto(sitePath(at, '/alerts'))
  await page.getByRole('button', { name: 'Make a request' }).click()
  await expect(page).toHaveURL(/\/requests\/\d+$/)
  await expect(page.getByRole('img', { name: 'Chart.png' })).toBeVisible()
  const audit = await attachedText(admin, { orgId, propertyId: siteId, number: numberOf(page) }, 'Audit entries.csv')
  expect(audit).toContain(datapointId)
  expect(audit).toContain(overrideId)

  controller.misbehave([])
  // The controller tries again after half a minute at the latest.
  await expect.poll(async () => (await readSetpoints(equipment))[NAME], { timeout: 60_000 }).toBe(before + 5)
  await page.goto(sitePath(at))
  await expect(card.getByRole('alert')).toBeHidden()
  await expect(card).toContainText(new RegExp(`Held at\\s*${before + 5}\\skW`))
  await expect(card).not.toContainText('Equipment at')

  const { connections } = await admin.commission({ orgId, deviceId, body: heatPump(controller.equipmentUrl) })
  expect(connections.map(({ name }) => name)).toContain('Heat pump')
  const box = page.getByRole('main').getByText('All 4 connections work')
  await expect(box).toBeVisible()
  controller.misbehave(['mqtt:offline'])
  await expect(page.getByText(/^Heat pump: /)).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Real controller', exact: true }).click()
  await expect(datapointRow(page, 'Flow temperature')).toContainText('Last known value')
  // Without one of its files a request still exists, and says what it lacks.
  await expect.poll(() => openAlerts('connection-lost'), { timeout: 90_000 }).toBe(1)
  await page.route(/\/reports\?.*format=csv/, (route) => route.abort())
  await page.goto(sitePath(at, '/alerts'))
  await page.getByRole('button', { name: 'Make a request' }).click()
  await expect(page.getByText(/Not attached, because it failed: .*Audit entries\.csv/)).toBeVisible()
  controller.misbehave([])
  await page.goto(sitePath(at))
  await expect(box).toBeVisible()
})
