import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { startDevice } from '@plantroom/drivers/bacnet/testing/device-simulator'
import { simulatedObject } from '@plantroom/drivers/bacnet/testing/objects'
import { startInverter, startMeter } from './support/field-devices.ts'
import { checkAxe, expectNothingWider } from './support/look.ts'
import { expect, LONG, sitePath, startSession, test } from './support/test.ts'

const PHONE = { width: 390, height: 844 }
const SYSTEM = 'Found on site'

test('an installer scans from a phone, picks what answers, and it becomes part of the file', async ({
  page,
  demo,
  admin,
}) => {
  // Two scans, a reading and a load, on a machine that may be busy.
  test.setTimeout(300_000)
  const { orgId, deviceId } = demo
  const operator = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const systems = async () => (await operator.listTechnicalSystems({ orgId, deviceId })).technicalSystems
  const before = await systems()
  await using cleanup = new AsyncDisposableStack()
  const inverter = await startInverter()
  cleanup.defer(() => inverter.stop())
  const supply = simulatedObject('analog-value,3', { name: 'Supply air', fallback: 18, range: [15, 30] })
  const outside = simulatedObject('analog-input,1', { name: 'Outside air', fallback: 4 })
  const rooms = Array.from({ length: 25 }, (_, at) => `analog-input,${at + 10}`)
  const airHandler = await startDevice(
    new Map([
      ['analog-value,3', supply],
      ['analog-input,1', outside],
      ...rooms.map((object) => [object, simulatedObject(object, { name: `Room ${object}` })] as const),
    ]),
  )
  cleanup.defer(() => airHandler.stop())
  cleanup.defer(async () => {
    await operator.commission({ orgId, deviceId, body: { technicalSystem: SYSTEM, connections: [] } })
  })
  const scans: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/scan')) scans.push(request.postData() ?? '')
  })

  await page.setViewportSize(PHONE)
  await startSession(page, demo, admin)
  await page.goto(sitePath(demo, `/settings/systems/${deviceId}/commission`))
  await page.getByRole('textbox', { name: 'Technical system' }).fill(SYSTEM)
  await page.getByRole('button', { name: 'Scan for equipment' }).click()
  const panel = page.getByRole('region', { name: 'Scan for equipment' })
  const where = panel.getByRole('textbox', { name: 'Host or network' })
  const start = panel.getByRole('button', { name: 'Scan', exact: true })
  await where.fill('10.0.0.0/16')
  await start.click()
  await expect(panel).toContainText('10.0.0.0/16 has 65,536 addresses. Scan one host, or networks of at most 256')
  expect(scans).toEqual([])

  await panel.getByRole('combobox', { name: 'Protocol' }).click()
  await page.getByRole('option', { name: 'SunSpec' }).click()
  await where.fill(`127.0.0.1:${inverter.port}`)
  await panel.getByRole('textbox', { name: 'Unit ids' }).fill('1-2')
  await start.click()
  await expect(panel).toContainText('Found 1 device.')
  await panel.getByRole('checkbox', { name: 'W (103)', exact: true }).check()
  await expect(panel).toContainText('does not say within which bounds')
  await checkAxe(page)
  await expectNothingWider(page, PHONE.width)
  await panel.getByRole('button', { name: 'Add 1 datapoint' }).click()
  await expect(panel).toContainText('Added 1 datapoint to the file.')
  const file = page.getByRole('textbox', { name: 'File' })
  await expect(file).toHaveValue(/protocol: sunspec[\s\S]*name: W \(103\)[\s\S]*point: W/)
  const power = page.getByRole('group', { name: 'Datapoint 1: W (103)' })
  await power.getByRole('button', { name: 'Read now' }).click()
  await expect(power.getByRole('status')).toHaveText('4,200\u00A0W')

  await panel.getByRole('combobox', { name: 'Protocol' }).click()
  await page.getByRole('option', { name: 'BACnet/IP' }).click()
  await where.fill(`127.0.0.1:${airHandler.port}`)
  await start.click()
  await expect(panel.getByRole('button', { name: 'Show more of 7' })).toBeVisible()
  for (const name of ['Supply air', 'Outside air']) {
    await panel.getByRole('textbox', { name: 'Search by name' }).fill(name.toUpperCase())
    await expect(panel.getByRole('row')).toHaveCount(1)
    await panel.getByRole('checkbox', { name: new RegExp(`^${name}`) }).check()
  }
  await panel.getByRole('button', { name: 'Add 2 datapoints' }).click()
  await expect(file).toHaveValue(/protocol: bacnet-ip[\s\S]*writeInputData:\s+min: 15\s+max: 30/)
  await expectNothingWider(page, PHONE.width)
  expect(airHandler.written).toEqual([])
  expect(await systems()).toEqual(before)

  await file.fill((await file.inputValue()).replace('name: W (103)', 'name: Sun'))
  await expect(page.getByRole('group', { name: 'Datapoint 1: Sun' })).toBeVisible()
  await page.getByRole('button', { name: 'Check with the controller' }).click()
  await page.getByRole('button', { name: 'Load file' }).click()
  const loaded = async () => (await systems()).find(({ name }) => name === SYSTEM)?.connections
  await expect
    .poll(async () => (await loaded())?.map(({ datapoints }) => datapoints.map(({ name }) => name)))
    .toEqual([['Sun'], ['Supply air', 'Outside air']])
})

test('a scan of a network is followed and stopped, and a host that refuses is named', {
  tag: LONG,
}, async ({ page, demo, admin }) => {
  await using cleanup = new AsyncDisposableStack()
  const meter = await startMeter([1])
  cleanup.defer(() => meter.stop())
  const inverter = await startInverter()
  cleanup.defer(() => inverter.stop())
  await startSession(page, demo, admin)
  await page.goto(sitePath(demo, `/settings/systems/${demo.deviceId}/commission`))
  await page.getByRole('button', { name: 'Scan for equipment' }).click()
  const panel = page.getByRole('region', { name: 'Scan for equipment' })
  const where = panel.getByRole('textbox', { name: 'Host or network' })
  const units = panel.getByRole('textbox', { name: 'Unit ids' })
  const start = panel.getByRole('button', { name: 'Scan', exact: true })

  await where.fill(`127.0.0.0/28:${meter.port}`)
  await units.fill('1')
  await start.click()
  await expect(panel).toContainText('Found 1 device.')
  await panel.getByRole('checkbox', { name: /unit 1 at/ }).check()
  await panel.getByRole('button', { name: 'Add 1 connection' }).click()
  await expect(panel).toContainText('Added to the file. Add the datapoints there.')
  await expect(page.getByRole('textbox', { name: 'File' })).toHaveValue(new RegExp(`port: ${meter.port}`))

  // Every unit but the first is silent for half a second.
  await where.fill(`127.0.0.1:${inverter.port}`)
  await units.fill('1-240')
  await start.click()
  await expect(panel.getByRole('progressbar', { name: 'Progress of the scan' })).toBeVisible()
  await expect(panel).toContainText('found 1 device.')
  await panel.getByRole('button', { name: 'Stop' }).click()
  await expect(panel).toContainText('Stopped. Found 1 device.')

  await inverter.stop()
  await start.click()
  await expect(panel).toContainText('The scan ended early.')
  await expect(panel).toContainText('refused')
})
