import type { Locator, Page } from '@playwright/test'
import { countClicks } from './support/clicks.ts'
import { startInverter } from './support/field-devices.ts'
import { pressUntil } from './support/keyboard.ts'
import { checkAxe, expectNothingWider } from './support/look.ts'
import { expect, LONG, sitePath, startSession, test } from './support/test.ts'

const PHONE = { width: 390, height: 844 }
const POWER = '4,200\u00A0W'

test('from a template to the first live value of a SunSpec inverter takes at most 12 clicks', async ({
  page,
  demo,
  admin,
}) => {
  await using cleanup = new AsyncDisposableStack()
  const inverter = await startInverter()
  cleanup.defer(() => inverter.stop())
  await startSession(page, demo, admin)
  const within = await countClicks(page)
  const type = async (label: string, text: string) => {
    await page.getByRole('textbox', { name: label }).click()
    await page.keyboard.insertText(text)
  }
  await within('the first live value', sitePath(demo, '/settings/systems'), 12, async () => {
    const begun = Date.now()
    await page.getByRole('link', { name: 'Commission Demo controller' }).click()
    await page.getByRole('combobox', { name: 'Start from' }).click()
    await page.keyboard.insertText('SunSpec inv')
    await page.getByRole('option', { name: 'SunSpec inverter' }).click()
    await type('What it is called in the building', 'Roof')
    await type('IP address or name of the equipment', '127.0.0.1')
    await type('TCP port', String(inverter.port))
    await type('Rated power in kW', '10')
    await page.getByRole('button', { name: 'Fill in' }).click()
    const power = page.getByRole('group', { name: 'Datapoint 1: Power' })
    await power.getByRole('button', { name: 'Read now' }).click()
    await expect(power.getByRole('status')).toHaveText(POWER)
    console.log(`template to first live value: ${((Date.now() - begun) / 1000).toFixed(1)} s`)
  })
})

test('an installer needs no mouse: a template, a value, a scan and the check by the keyboard alone', async ({
  page,
  demo,
  admin,
}) => {
  await using cleanup = new AsyncDisposableStack()
  const inverter = await startInverter()
  cleanup.defer(() => inverter.stop())
  await startSession(page, demo, admin)
  await page.goto(sitePath(demo, `/settings/systems/${demo.deviceId}/commission`))
  const { keyboard } = page
  const panel = page.getByRole('region', { name: 'Scan for equipment' })
  const focus = (role: Parameters<typeof page.getByRole>[0], name: string | RegExp, within: Locator | Page = page) =>
    pressUntil(page, 'Tab', within.getByRole(role, { name, exact: true }))

  await focus('combobox', 'Start from')
  await keyboard.type('SunSpec inv')
  await expect(page.getByRole('option', { name: 'SunSpec inverter' })).toBeVisible()
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await expect(page.getByRole('form', { name: 'SunSpec inverter' })).toBeVisible()
  for (const [label, text] of [
    ['What it is called in the building', 'Roof'],
    ['IP address or name of the equipment', '127.0.0.1'],
    ['TCP port', String(inverter.port)],
    [/^Rated power in kW/, '10'],
  ] as const) {
    await focus('textbox', label)
    await keyboard.type(text)
  }
  await keyboard.press('Enter')
  await focus('button', 'Read now: Datapoint 1: Power')
  await keyboard.press('Enter')
  await expect(page.getByRole('group', { name: 'Datapoint 1: Power' }).getByRole('status')).toHaveText(POWER)

  await focus('button', 'Scan for equipment')
  await keyboard.press('Space')
  await focus('combobox', 'Protocol', panel)
  await keyboard.press('ArrowDown')
  await pressUntil(page, 'ArrowDown', page.getByRole('option', { name: 'SunSpec' }), '[data-combobox-selected]')
  await keyboard.press('Enter')
  await focus('textbox', 'Host or network')
  await keyboard.type(`127.0.0.1:${inverter.port}`)
  await focus('textbox', 'Unit ids')
  await keyboard.type('1')
  await keyboard.press('Enter')
  await expect(panel).toContainText('Found 1 device.')
  await focus('checkbox', 'WH (103)')
  await keyboard.press('Space')
  await focus('button', 'Add 1 datapoint')
  await keyboard.press('Enter')
  // The template has this address.
  await expect(panel).toContainText('The file has these addresses already.')
  await focus('button', 'Check with the controller')
  await keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Load file' })).toBeVisible()
})

const ROWS = 5_000

test('5,000 datapoints are pasted as a table and checked', { tag: LONG }, async ({ page, context, demo, admin }) => {
  test.setTimeout(300_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await startSession(page, demo, admin)
  await page.goto(sitePath(demo, `/settings/systems/${demo.deviceId}/commission`))
  await page.getByRole('textbox', { name: 'Technical system' }).fill('Large')
  await page.getByRole('button', { name: 'Add connection' }).click()
  const connection = page.getByRole('region', { name: /^Connection 1/ })
  await connection.getByRole('textbox', { name: 'Name' }).fill('Bus')
  await connection.getByRole('textbox', { name: 'Settings' }).fill('host=10.0.0.5 port=502 unitId=1')
  await connection.getByRole('button', { name: 'Paste a table' }).click()
  const table = connection.getByRole('textbox', { name: 'Table of datapoints' })

  await table.fill('Name;access;unit;min;max;scale;register\nA;RW;kW;-0,5;0,5;0,1;1\nA;R;kW;;;1.000,5;2\nB\tR\tkW')
  await expect(connection.getByRole('alert')).toContainText('Row 3: A is in row 2 already.')
  await expect(connection.getByRole('alert')).toContainText('Row 3: scale is no number: 1.000,5')
  await expect(connection.getByRole('alert')).toContainText('Row 4: It is separated otherwise than the first row.')
  await expect(connection.getByRole('button', { name: 'Add 1 datapoint' })).toBeEnabled()

  const rows = Array.from({ length: ROWS }, (_, at) => `Point ${at};R;kW;${at % 10},5;${at};int16`)
  const text = `name;access;unit;scale;register;type\n${rows.map((row) => row.replace(';0,5;', ';1;')).join('\n')}`
  const add = connection.getByRole('button', { name: 'Add 5,000 datapoints' })
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await table.fill('')
  const begun = await page.evaluate<number>('performance.now()')
  await table.press('Control+V')
  await expect(add).toBeEnabled()
  const pasted = await page.evaluate<number>('performance.now()')
  await add.click()
  await expect(page.getByText('The controller checks addresses, and says what would change.')).toBeVisible()
  const checked = await page.evaluate<number>('performance.now()')
  await expect(page.getByRole('textbox', { name: 'File' })).toHaveValue(/name: Point 4999\n/)
  const written = await page.evaluate<number>('performance.now()')
  const [read, more, file] = [pasted - begun, checked - pasted, written - checked].map(Math.round)
  console.log(`5,000 datapoints: read in ${read} ms, checked in ${more} ms more, in the file ${file} ms later`)
  await expect(page.getByRole('group', { name: /^Datapoint/ })).toHaveCount(20)
})

for (const [language, words] of Object.entries({
  de: { scan: 'Nach Geräten suchen', where: 'Adresse oder Netz', start: 'Suchen', paste: 'Tabelle einfügen' },
  et: { scan: 'Otsi seadmeid', where: 'Aadress või võrk', start: 'Otsi', paste: 'Kleebi tabel' },
})) {
  test(`the page fits on a phone in ${language}`, { tag: LONG }, async ({ page, demo, admin }, testInfo) => {
    await using cleanup = new AsyncDisposableStack()
    const inverter = await startInverter()
    cleanup.defer(() => inverter.stop())
    await page.addInitScript(`localStorage.setItem('plantroom-language', '{"language":"${language}"}')`)
    await page.setViewportSize(PHONE)
    await startSession(page, demo, admin)
    await page.goto(sitePath(demo, `/settings/systems/${demo.deviceId}/commission`))
    await page.getByRole('button', { name: words.scan, exact: true }).click()
    const file = [
      'technicalSystem: Energiemanagement Nebengebäude',
      'connections:',
      '  - name: Wechselrichter auf dem Dach',
      '    protocol: sunspec',
      `    settings: { host: 127.0.0.1, port: ${inverter.port}, unitId: 1 }`,
      '    datapoints:',
      '      - name: Einspeiseleistung',
      '        accessType: READ',
      '        unit: W',
      '        tags: [site.power]',
      '        scaler: { inputValue1: 0, outputValue1: 0, inputValue2: -1, outputValue2: 1 }',
      '        data: { model: 103, point: W }',
    ].join('\n')
    await page.locator('textarea').first().fill(file)
    const point = page.getByRole('group', { name: /Einspeiseleistung$/ })
    await point.getByRole('button').first().click()
    await expect(point.getByRole('note')).toBeVisible()
    await page.getByRole('textbox', { name: words.where }).fill('10.0.0.0/8')
    await page.getByRole('button', { name: words.start, exact: true }).click()
    await expect(page.getByText('/24').last()).toBeVisible()
    await page.getByRole('textbox', { name: words.where }).fill(`127.0.0.1:${inverter.port}`)
    await page.getByRole('button', { name: words.start, exact: true }).click()
    await expect(page.getByRole('checkbox').first()).toBeVisible()
    await page.getByRole('button', { name: words.paste }).click()
    await page.locator('textarea').nth(0).fill('name;access\n;X\nA;R;1;2')
    await checkAxe(page)
    await expectNothingWider(page, PHONE.width)
    await page.screenshot({ path: testInfo.outputPath(`commission-${language}.png`), fullPage: true })
  })
}
