import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { startController } from '../support/controller.ts'
import { ownFolder } from '../support/folder.ts'
import { readSetpoints } from '../support/override-setpoints.ts'
import { checkAxe, expectNothingWider } from './support/look.ts'
import { addPerson } from './support/people.ts'
import { expect, sitePath, startSession, test } from './support/test.ts'

const NAME = 'Charge power'
const METER = 'Battery power'
const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

test('a manager tests an output, and the meter of the power limit is confirmed by it', async ({
  page,
  demo,
}, testInfo) => {
  await using cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(ownFolder()).path
  const admin = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const { id: orgId } = await admin.addOrganization({ body: { name: `Tests ${Date.now()}` } })
  const { id: siteId } = await admin.addSite({ orgId, body: { name: 'Old Mill', maintenanceRequests: true } })
  const connect = () => ({ MQTT_URL: demo.mqttUrl })
  const { deviceId, equipment } = await startController(cleanup, { folder, admin, orgId, siteId, connect })
  const { technicalSystems } = await admin.listTechnicalSystems({ orgId, deviceId })
  const systemId = technicalSystems[0]?.id ?? ''
  const file = await admin.getCommissioningFile({ orgId, deviceId, systemId })
  const loads = [{ datapoint: NAME, kind: 'modulating' as const, priority: 1, minKw: -50, maxKw: 50 }]
  const limited = { ...file, powerLimit: { meter: METER, guaranteedKw: 4, loads } }
  const { warnings } = await admin.commission({ orgId, deviceId, body: limited })
  expect(warnings?.map(({ path }) => path)).toContain('powerLimit.meter')
  const atEquipment = async () => (await readSetpoints(equipment))[NAME]
  const before = await atEquipment()
  const at = { ...demo, orgId, propertyId: siteId }
  await startSession(page, demo, await addPerson(at, 'manager'))

  await page.setViewportSize(WIDE)
  await page.goto(sitePath(at, `/devices/${deviceId}`))
  const section = page.getByRole('region', { name: 'Output tests' })
  await expect(section).toContainText(`No test has confirmed the sign of ${METER}`)
  await section.getByRole('button', { name: `Test ${NAME}` }).click()
  const dialog = page.getByRole('dialog')
  const start = dialog.getByRole('button', { name: 'Start test' })
  await dialog.getByRole('textbox', { name: /^Value in/ }).fill(String(before + 15))
  await dialog.getByRole('textbox', { name: 'For how many seconds' }).fill('61')
  await start.click()
  await expect(dialog).toContainText('Enter a whole number from 5 to 60.')
  await expect(dialog).toContainText('Make sure that the equipment may move.')
  expect(await atEquipment()).toBe(before)
  await dialog.getByRole('textbox', { name: 'For how many seconds' }).fill('10')
  await dialog.getByRole('checkbox').check()
  await checkAxe(page)
  await start.click()

  await expect.poll(atEquipment).toBe(before + 15)
  await expect(dialog).toContainText(/The controller gives the output back in \d+ s/)
  await expect(dialog.getByRole('button', { name: 'Stop test' })).toBeVisible()
  for (const size of [PHONE, WIDE]) {
    await page.setViewportSize(size)
    await checkAxe(page)
    await expectNothingWider(page, size.width)
  }
  await expect.poll(atEquipment, { timeout: 30_000 }).toBe(before)
  await expect(dialog).toContainText('The output is back at', { timeout: 30_000 })
  await expect(dialog).toContainText(`${METER} follows: it moved by`)
  await dialog.getByRole('textbox', { name: 'Note' }).fill('the fan started')
  await dialog.getByRole('button', { name: 'Yes', exact: true }).click()
  await expect(dialog).toBeHidden()

  await expect(section).toContainText(`A test confirmed the sign of ${METER}`)
  await expect(section.getByRole('table')).toContainText('the fan started')
  const again = await admin.commission({ orgId, deviceId, body: limited })
  expect(again.warnings?.map(({ path }) => path) ?? []).not.toContain('powerLimit.meter')
  for (const size of [PHONE, WIDE]) {
    await page.setViewportSize(size)
    await checkAxe(page)
    await expectNothingWider(page, size.width)
  }

  const large = largeSystem(file.connections[0]?.settings)
  await admin.commission({ orgId, deviceId, body: large })
  await startSession(page, demo, await addPerson(at, 'admin'))
  await page.goto(sitePath(at, `/settings/systems/${deviceId}/record`))
  await expect(page.getByRole('heading', { name: large.technicalSystem })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize(PAPER)
  await expectNothingWider(page, PAPER.width)
  const loaded = page.getByRole('region', { name: large.technicalSystem })
  await expect(loaded.getByRole('row')).toHaveCount(1 + DATAPOINTS)
  await expect(loaded.getByRole('columnheader', { name: 'Range' })).toBeVisible()
  await expect(loaded.getByRole('row').last()).toContainText(/^Põrandaküte Größenmaß 300 .*-5\s°C to 35\s°C/)
  await expect(loaded).toContainText('unitId=1')
  const tests = page.getByRole('region', { name: 'Output tests' })
  await expect(tests.getByRole('row').last()).toContainText(`${NAME} (Inverter)`)
  await expect(tests.getByRole('row').last()).toContainText(new RegExp(`${before + 15}\\s*kW for 10 s`))
  await expect(tests.getByRole('row').last()).toContainText('the fan started')
  await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden()
  const pdf = (await page.pdf({ format: 'A4', path: testInfo.outputPath('record.pdf') })).toString('latin1')
  const pages = pdf.match(/\/Type \/Page\b/g)?.length ?? 0
  expect(pages).toBeGreaterThan(5)
  expect(pages).toBeLessThan(25)
})

/** A page of A4 between its margins. */
const PAPER = { width: 718, height: 1000 }
const DATAPOINTS = 300

/** A system with long names in German and Estonian. */
function largeSystem(settings: Record<string, unknown> = {}): CommissioningFile {
  return {
    technicalSystem: 'Büro- und Öökullihall: Lüftungs- und Põrandaküttesüsteem',
    connections: [
      {
        name: 'Verteilergruppe Süd für Größenmessung',
        protocol: 'modbus-tcp',
        settings: { ...settings, unitId: 1 },
        datapoints: Array.from({ length: DATAPOINTS }, (_, index) => ({
          name: `Põrandaküte Größenmaß ${index + 1} ${'Raumtemperatursollwertverschiebung'.repeat(index % 50 === 0 ? 3 : 1)}`,
          accessType: 'READ_WRITE' as const,
          unit: '°C',
          writeInputData: { min: -5, max: 35 },
          data: { register: 1000 + index, type: 'int16' },
        })),
      },
    ],
  }
}
