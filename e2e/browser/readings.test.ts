import { startMeter } from './support/field-devices.ts'
import { checkAxe } from './support/look.ts'
import { expect, sitePath, startSession, test } from './support/test.ts'

const signed = (value: number) => value & 0xffff

test('a wrong type, scale and sign are questioned, mended with one click, and undone', async ({
  page,
  demo,
  admin,
}) => {
  await using cleanup = new AsyncDisposableStack()
  const meter = await startMeter([signed(-1), 2300, signed(-12), 5])
  cleanup.defer(() => meter.stop())
  await startSession(page, demo, admin)
  await page.goto(sitePath(demo, `/settings/systems/${demo.deviceId}/commission`))
  const file = page.getByRole('textbox', { name: 'File' })
  const text = [
    'technicalSystem: Meter room',
    'connections:',
    '  - name: Meter',
    '    protocol: modbus-tcp',
    `    settings: { host: 127.0.0.1, port: ${meter.port}, unitId: 1 }`,
    '    datapoints:',
    '      - { name: Reactive, accessType: READ, unit: W, data: { register: 0, type: uint16 } }',
    '      - { name: Voltage, accessType: READ, unit: V, data: { register: 1, type: uint16 } }',
    '      - { name: Grid, accessType: READ, unit: kW, tags: [site.power], data: { register: 2, type: int16 } }',
    '      - { name: Load, accessType: READ, unit: kW, tags: [site.load], data: { register: 3, type: int16 } }',
  ].join('\n')
  await file.fill(text)
  const point = (name: string) => page.getByRole('group', { name: new RegExp(`^Datapoint \\d: ${name}$`) })
  const readNow = async (name: string) => point(name).getByRole('button', { name: 'Read now' }).click()
  const value = (name: string) => point(name).getByRole('status')

  await readNow('Reactive')
  await expect(point('Reactive')).toContainText('65,535\u00A0W looks like -1\u00A0W without its sign')
  await checkAxe(page)
  await point('Reactive').getByRole('button', { name: 'Read as int16' }).click()
  await expect(value('Reactive')).toHaveText('-1\u00A0W')
  await expect(file).toHaveValue(/register: 0\s+type: int16/)
  await point('Reactive').getByRole('button', { name: 'Undo' }).click()
  await expect(value('Reactive')).toHaveText('65,535\u00A0W')
  await expect(file).toHaveValue(/register: 0\s+type: uint16/)

  await readNow('Voltage')
  await expect(point('Voltage')).toContainText('2,300\u00A0V looks like 230\u00A0V times 10')
  await point('Voltage').getByRole('button', { name: 'Divide by 10' }).click()
  await expect(value('Voltage')).toHaveText('230\u00A0V (the equipment holds 2,300)')

  await readNow('Grid')
  await expect(point('Grid')).toContainText('-12\u00A0kW: is the building feeding power into the grid now?')
  await point('Grid').getByRole('button', { name: 'Turn the sign' }).click()
  await expect(value('Grid')).toHaveText('12\u00A0kW (the equipment holds -12)')
  await expect(point('Grid')).toContainText('12\u00A0kW: the building draws power from the grid now.')
  await expect(point('Grid').getByRole('button', { name: 'Turn the sign' })).toHaveCount(0)
  await expect(point('Grid').getByRole('button', { name: 'Undo' })).toBeVisible()

  await readNow('Load')
  await expect(value('Load')).toHaveText('5\u00A0kW')
  await expect(point('Load').getByRole('note')).toHaveCount(0)
})
