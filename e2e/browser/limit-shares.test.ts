import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { startController } from '../support/controller.ts'
import { ownFolder } from '../support/folder.ts'
import { checkAxe, lookAt } from './support/look.ts'
import { addPerson } from './support/people.ts'
import { expect, LONG, sitePath, startSession, test } from './support/test.ts'

const NAMES = ['North', 'South']
const METER = 'Battery power'
const LOAD = { datapoint: 'Charge power', kind: 'modulating' as const, priority: 1, minKw: -50, maxKw: 50 }

test('a limit of a site with two controllers shows the share of each', { tag: LONG }, async ({ page, demo }) => {
  await using cleanup = new AsyncDisposableStack()
  const admin = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const { id: orgId } = await admin.addOrganization({ body: { name: `Shares ${Date.now()}` } })
  const { id: siteId } = await admin.addSite({ orgId, body: { name: 'Old Mill', maintenanceRequests: true } })
  const connect = () => ({ MQTT_URL: demo.mqttUrl })
  for (const name of NAMES) {
    const folder = cleanup.use(ownFolder()).path
    const { deviceId } = await startController(cleanup, { folder, admin, orgId, siteId, connect })
    await admin.updateDevice({ orgId, deviceId, body: { name } })
    const { technicalSystems } = await admin.listTechnicalSystems({ orgId, deviceId })
    const file = await admin.getCommissioningFile({ orgId, deviceId, systemId: technicalSystems[0]?.id ?? '' })
    const powerLimit = { meter: METER, guaranteedKw: 4, loads: [LOAD] }
    await admin.commission({ orgId, deviceId, body: { ...file, powerLimit } })
  }
  const at = { ...demo, orgId, propertyId: siteId }
  await startSession(page, demo, await addPerson(at, 'manager'))

  await page.goto(sitePath(at))
  await page.getByRole('button', { name: 'Limit power' }).click()
  const form = page.getByRole('dialog', { name: /^Limit the power of / })
  await form.getByRole('textbox', { name: 'Limit (kW)' }).fill('90')
  await form.getByRole('textbox', { name: 'Limit (kW)' }).press('Enter')
  await expect(form).toBeHidden()

  const section = page.getByRole('region', { name: 'Power limit' })
  await section.getByRole('button', { name: 'Show shares' }).click()
  const shares = section.getByRole('list', { name: 'Shares of the controllers' }).getByRole('listitem')
  await expect(shares).toHaveCount(NAMES.length)
  for (const name of NAMES) await expect(shares.filter({ hasText: name })).toContainText(/Accepted/i)
  const shown = await shares.allTextContents()
  const parts = shown.map((text) => Number(/At most ([\d.]+)\skW/.exec(text)?.[1]))
  expect(parts.reduce((sum, kw) => sum + kw, 0)).toBeCloseTo(90, 1)
  await checkAxe(page, ['section[aria-labelledby=power-limit]'])
  await lookAt(page)
  await section.getByRole('button', { name: 'Hide shares' }).click()
  await expect(shares).toHaveCount(0)
})
