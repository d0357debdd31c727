import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import type { ConnectionValues } from '@plantroom/contract/values'
import { startSimulatedTemplate } from '@plantroom/simulator/template'
import type { DemoJson } from '../support/demo.ts'
import { checkAxe } from './support/look.ts'
import { addPerson } from './support/people.ts'
import { expect, LONG, sitePath, startSession, test } from './support/test.ts'

const SYSTEM = 'Heating'

/** The system that these tests change, through the API. */
async function commissionedBy(demo: DemoJson) {
  const { orgId, deviceId } = demo
  const operator = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const { technicalSystems } = await operator.listTechnicalSystems({ orgId, deviceId })
  const systemId = String(technicalSystems.find(({ name }) => name === SYSTEM)?.id)
  return {
    systemId,
    file: () => operator.getCommissioningFile({ orgId, deviceId, systemId }),
    load: (body: Awaited<ReturnType<typeof operator.getCommissioningFile>>) =>
      operator.commission({ orgId, deviceId, body }),
  }
}

test('a file with mistakes shows all of them with their lines, and is not loaded', async ({ page, demo, admin }) => {
  const { file } = await commissionedBy(demo)
  const before = await file()
  await startSession(page, demo, admin)
  await page.goto(sitePath(demo, '/settings/systems'))
  await page.getByRole('button', { name: 'Load file onto Demo controller' }).click()
  const text = [
    `technicalSystem: ${SYSTEM}`,
    'connections:',
    '  - name: Heat pump',
    '    protocol: mqtt',
    '    settings: { url: "mqtt://127.0.0.1:1884", colour: red }',
    '    datapoints:',
    '      - { name: Flow, accessType: READ, data: { stateTopic: hp/flow } }',
    '      - { name: Flow, accessType: READ, data: { stateTopic: hp/flow } }',
    'schedules:',
    '  - { name: Day, datapoint: Boiler, slots: [{ days: [mon], from: "7:00", to: "18:00", value: 1 }] }',
  ].join('\n')
  await page.getByLabel('Commissioning file', { exact: true }).setInputFiles({
    name: 'heating.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(text),
  })
  const mistakes = page.getByRole('alert')
  await expect(mistakes).toContainText('The file has 4 mistakes')
  await expect(mistakes).toContainText('Line 5 connections[0].settings.colour')
  await expect(mistakes).toContainText('Line 8 connections[0].datapoints[1].name')
  await expect(mistakes).toContainText('Line 10 schedules[0].datapoint')
  await checkAxe(page, ['[role=dialog]'])
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Load file' })).toHaveCount(0)
  expect(await file()).toEqual(before)
})

test('a template is filled in, a value read before anything is stored, and the file loaded', async ({
  page,
  demo,
  admin,
}) => {
  const { orgId, deviceId } = demo
  const operator = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const place = { host: '127.0.0.1', port: 0, clock: systemClock, log: createLog('meter', 'silent') }
  const template = await operator.getTemplate({ name: 'eastron-sdm630' })
  const meter = await startSimulatedTemplate(template, place, 'modbus-tcp')
  const commissioned = async () =>
    (await operator.listTechnicalSystems({ orgId, deviceId })).technicalSystems.find(
      ({ name }) => name === 'Main meter',
    )
  try {
    await startSession(page, demo, admin)
    await page.goto(sitePath(demo, `/settings/systems/${deviceId}/commission`))
    await page.getByRole('combobox', { name: 'Start from' }).fill('SDM630')
    await page.getByRole('option', { name: 'Eastron SDM630 energy meter' }).click()
    await page.getByRole('combobox', { name: 'How it is reached' }).click()
    await page.getByRole('option', { name: 'Modbus TCP', exact: true }).click()
    await page.getByRole('button', { name: 'Fill in' }).click()
    await expect(page.getByText('is missing: IP address or name of the equipment')).toBeVisible()
    await page.getByRole('textbox', { name: 'What it is called in the building' }).fill('Main meter')
    await page.getByRole('textbox', { name: 'IP address or name of the equipment' }).fill('127.0.0.1')
    await page.getByRole('textbox', { name: 'TCP port' }).fill(String(meter.port))
    await checkAxe(page)
    await page.getByRole('button', { name: 'Fill in' }).click()
    const power = page.getByRole('group', { name: 'Datapoint 1: Power' })
    await power.getByRole('button', { name: 'Read now' }).click()
    await expect(power.getByRole('status')).toHaveText(`${meter.raw('Power')?.toLocaleString('en-US')} W`)
    expect(await commissioned()).toBeUndefined()
    await page.getByRole('button', { name: 'Check with the controller' }).click()
    await page.getByRole('button', { name: 'Load file' }).click()
    await expect.poll(async () => (await commissioned())?.connections[0]?.datapoints.length).toBe(13)
  } finally {
    await operator.commission({ orgId, deviceId, body: { technicalSystem: 'Main meter', connections: [] } })
    await meter.stop()
  }
})

test('the SunSpec template reads the solar inverter of the demo before anything is stored, and then shows it live', async ({
  page,
  demo,
  admin,
}) => {
  const { orgId, deviceId } = demo
  const operator = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const port = demo.connections.find(({ protocol }) => protocol === 'modbus-tcp')?.endpoint.split(':')[1]
  const commissioned = async () =>
    (await operator.listTechnicalSystems({ orgId, deviceId })).technicalSystems.find(({ name }) => name === 'Roof')
  try {
    await startSession(page, demo, admin)
    await page.goto(sitePath(demo, `/settings/systems/${deviceId}/commission`))
    await page.getByRole('combobox', { name: 'Start from' }).fill('SunSpec inverter')
    await page.getByRole('option', { name: 'SunSpec inverter' }).click()
    await page.getByRole('textbox', { name: 'What it is called in the building' }).fill('Roof')
    await page.getByRole('textbox', { name: 'IP address or name of the equipment' }).fill('127.0.0.1')
    await page.getByRole('textbox', { name: 'TCP port' }).fill(String(port))
    await page.getByRole('textbox', { name: 'Modbus unit id' }).fill('4')
    const rated = page.getByRole('textbox', { name: 'Rated power in kW (WMax)' })
    await rated.fill('0.1')
    await page.getByRole('button', { name: 'Fill in' }).click()
    await expect(rated).toHaveAccessibleDescription(/must be a number with a point for decimals from 0.5 to 5000/)
    await rated.fill('8')
    await page.getByRole('button', { name: 'Fill in' }).click()
    const frequency = page.getByRole('group', { name: 'Datapoint 2: Frequency' })
    await frequency.getByRole('button', { name: 'Read now' }).click()
    await expect(frequency.getByRole('status')).toHaveText(/^(49|50)(\.\d+)?\sHz$/)
    const limit = page.getByRole('group', { name: 'Datapoint 4: Power limit' })
    await limit.getByRole('button', { name: 'Read now' }).click()
    await expect(limit.getByRole('status')).toHaveText(/^8\skW \(the equipment holds 100\)$/)
    expect(await commissioned()).toBeUndefined()
    await page.getByRole('button', { name: 'Check with the controller' }).click()
    await page.getByRole('button', { name: 'Load file' }).click()
    await expect.poll(async () => (await commissioned())?.connections[0]?.datapoints.length).toBe(5)
    const id = String((await commissioned())?.connections[0]?.id)
    await expect
      .poll(async () => {
        const reply = await page.request.post(
          `${demo.baseUrl}/api/orgs/${orgId}/edge-device-admin/${deviceId}/cmd/getTechnicalConnectionValues`,
          { headers: { 'X-Api-Key': demo.apiKey }, data: { data: { id } } },
        )
        const values: ConnectionValues['values'] = reply.ok() ? (await reply.json()).data.values : {}
        return Object.values(values).filter(({ value, error }) => value !== null && error === undefined).length
      })
      .toBeGreaterThanOrEqual(4)
  } finally {
    await operator.commission({ orgId, deviceId, body: { technicalSystem: 'Roof', connections: [] } })
  }
})

test('of two people who edit schedules at once, the second learns who was faster and loses nothing', {
  tag: LONG,
}, async ({ page, browser, demo, admin }) => {
  const { systemId, file, load } = await commissionedBy(demo)
  const before = await file()
  const other = await addPerson(demo, 'admin')
  const second = await (await browser.newContext({ baseURL: demo.baseUrl })).newPage()
  const path = sitePath(demo, `/schedules/${demo.deviceId}/${systemId}`)
  for (const [each, person, value] of [
    [page, admin, '4'],
    [second, other, '7'],
  ] as const) {
    await startSession(each, demo, person)
    await each.goto(path)
    await each.getByRole('button', { name: 'Add schedule' }).click()
    await each.getByLabel('Value').fill(value)
  }
  const values = async () => (await file()).schedules?.map(({ slots }) => slots.map(({ value }) => value))

  await page.getByRole('button', { name: 'Review changes' }).click()
  await expect(page.getByRole('dialog')).toContainText('New: Mon to Fri, 07:00 to 18:00: 4')
  await checkAxe(page, ['[role=dialog]'])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Schedules and limits' })).toBeVisible()
  expect(await values()).toEqual([[4]])

  await second.getByRole('button', { name: 'Review changes' }).click()
  const review = second.getByRole('dialog')
  await expect(review).toContainText(`${admin.email} changed ${SYSTEM} at`)
  await expect(review).toContainText('Mon to Fri, 07:00 to 18:00: 4 °C → Mon to Fri, 07:00 to 18:00: 7 °C')
  expect(await values()).toEqual([[4]])
  await review.getByRole('button', { name: 'Save my version' }).click()
  await expect(second.getByRole('heading', { name: 'Schedules and limits' })).toBeVisible()
  expect(await values()).toEqual([[7]])

  await second.getByRole('button', { name: 'Undo' }).click()
  await expect(second.getByText(`Restored ${SYSTEM} as it was before`)).toBeVisible()
  expect(await values()).toEqual([[4]])

  await page.getByRole('button', { name: `Versions of ${SYSTEM}` }).click()
  const versions = page.getByRole('dialog')
  await expect(versions).toContainText(other.email)
  await checkAxe(page, ['[role=dialog]'])
  await versions
    .getByRole('button', { name: /Restore version/ })
    .last()
    .click()
  await expect(versions).toContainText('Removed')
  await versions.getByRole('button', { name: 'Restore version', exact: true }).click()
  await expect(versions).toBeHidden()
  expect(await file()).toEqual(before)
  await load(before)
})
