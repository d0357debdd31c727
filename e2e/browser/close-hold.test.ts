import { createClient } from '@plantroom/client/client'
import { createCommands } from '@plantroom/client/commands'
import { sendWithKey, sendWithToken } from '@plantroom/client/http'
import { startController } from '../support/controller.ts'
import { ownFolder } from '../support/folder.ts'
import { readSetpoints } from '../support/override-setpoints.ts'
import { holdForAWhile } from './support/hold.ts'
import { checkAxe, expectNothingWider } from './support/look.ts'
import { addPerson } from './support/people.ts'
import { datapointRow, expect, sitePath, startSession, test } from './support/test.ts'

const NAME = 'Charge power'
const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

test('a person closes a hold that the equipment does not let the controller restore', async ({ page, demo }) => {
  await using cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(ownFolder()).path
  const admin = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const { id: orgId } = await admin.addOrganization({ body: { name: `Stuck ${Date.now()}` } })
  const { id: siteId } = await admin.addSite({ orgId, body: { name: 'Old Mill', maintenanceRequests: true } })
  const connect = () => ({ MQTT_URL: demo.mqttUrl })
  const controller = await startController(cleanup, { folder, admin, orgId, siteId, connect })
  const { deviceId, datapointId, equipment } = controller
  const atEquipment = async () => (await readSetpoints(equipment))[NAME]
  const before = await atEquipment()
  const at = { ...demo, orgId, propertyId: siteId }
  const manager = await addPerson(at, 'manager')
  const viewer = await addPerson(at, 'viewer')

  const permissions = ['edge-device:read_write'] as const
  const { apiKey } = await admin.createKey({ orgId, body: { name: 'Partner', permissions, siteIds: null } })
  const partner = createClient(sendWithKey(demo.baseUrl, apiKey))
  await holdForAWhile(createCommands(partner, { orgId, deviceId }), datapointId, before + 5)
  await expect.poll(atEquipment).toBe(before + 5)

  await startSession(page, demo, manager)
  await page.goto(sitePath(at))
  const card = page.getByRole('article').filter({ has: page.getByRole('link', { name: NAME, exact: true }) })
  await expect(card).toContainText('Holding')
  const openDialog = card.getByRole('button', { name: `Close the hold of ${NAME}…` })
  await expect(openDialog).toBeHidden()

  controller.misbehave(['modbus:ignore-writes'])
  await card.getByRole('button', { name: `Release ${NAME}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Release now' }).click()
  await expect(card).toContainText('Releasing')
  await expect(card.getByRole('alert')).toBeVisible()

  await openDialog.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(new RegExp(`could not set ${NAME} back to ${before}\\skW`))
  await expect(dialog).toContainText(new RegExp(`Last read: ${before + 5}\\skW, .+ ago`))
  await expect(dialog).toContainText('Plantroom writes nothing more to this equipment')
  const action = dialog.getByRole('button', { name: 'Close the hold', exact: true })
  await expect(action).toBeDisabled()
  await dialog.getByRole('radio', { name: 'Abandoned' }).check()
  await expect(action).toBeDisabled()
  for (const size of [PHONE, WIDE]) {
    await page.setViewportSize(size)
    await expectNothingWider(page, size.width)
    await checkAxe(page, ['[role=dialog]'])
  }
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('the inverter is being replaced')
  await action.click()
  await expect(page.getByText(`Closed the hold of ${NAME}`)).toBeVisible()
  await expect(card).toBeHidden()

  const { entries } = await admin.listActivity({ orgId, query: { limit: 1 } })
  expect(entries).toMatchObject([
    {
      action: 'hold-closed',
      actor: { name: manager.email },
      subject: { id: datapointId, name: NAME },
      details: { outcome: 'abandoned', reason: 'the inverter is being replaced', readBack: before + 5 },
    },
  ])
  controller.misbehave([])
  await page.goto(sitePath(at, `/devices/${deviceId}`))
  await expect(datapointRow(page, NAME)).toContainText('Not held')
  // Nothing is written any more, although the equipment takes values again.
  expect(await atEquipment()).toBe(before + 5)

  await page.context().clearCookies()
  await startSession(page, demo, viewer)
  await page.goto(sitePath(at))
  await expect(page.getByText('No active overrides. The building is under local control.')).toBeVisible()
})
