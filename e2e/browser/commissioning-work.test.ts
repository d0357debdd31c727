import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import type { Page } from '@playwright/test'
import type { DemoJson } from '../support/demo.ts'
import { checkAxe } from './support/look.ts'
import { accountMenu, enterPassword, expect, sitePath, startSession, test } from './support/test.ts'

const openEditor = async (page: Page, { deviceId, ...demo }: DemoJson) => {
  await page.goto(sitePath({ deviceId, ...demo }, `/settings/systems/${deviceId}/commission`))
  return {
    system: page.getByRole('textbox', { name: 'Technical system' }),
    file: page.getByRole('textbox', { name: 'File', exact: true }),
    startFrom: page.getByRole('combobox', { name: 'Start from' }),
    bus: page.getByRole('region', { name: 'Connection 1: Bus' }),
    undo: page.getByRole('button', { name: 'Undo' }),
  }
}

test('nothing that an installer has written is lost by a template, a removal, another page or a session that ended', async ({
  page,
  demo,
  admin,
}) => {
  test.setTimeout(300_000)
  await startSession(page, demo, admin)
  const { system, file, startFrom, bus, undo } = await openEditor(page, demo)
  await system.fill('Mine')
  await page.getByRole('button', { name: 'Add connection' }).click()
  const settings = page.getByRole('textbox', { name: 'Settings' })
  await page
    .getByRole('region', { name: /^Connection 1/ })
    .getByRole('textbox', { name: 'Name' })
    .fill('Bus')
  await settings.fill('host=10.0.0.5 port=5020 unitId=7')
  await bus.getByRole('combobox', { name: 'Protocol' }).click()
  await page.getByRole('option', { name: 'SunSpec' }).click()
  await expect(settings).toHaveValue('host=10.0.0.5 port=5020 unitId=7')

  await startFrom.fill('SunSpec inv')
  await page.getByRole('option', { name: 'SunSpec inverter' }).click()
  await page.getByRole('textbox', { name: 'IP address or name of the equipment' }).fill('127.0.0.1')
  await page.getByRole('textbox', { name: /^Rated power/ }).fill('8')
  await expect(system).toHaveValue('Mine')
  await page.getByRole('button', { name: 'Fill in' }).click()
  await expect(page.getByText('What you had written (Mine) was replaced.')).toBeVisible()
  await checkAxe(page)
  await undo.click()
  await expect(system).toHaveValue('Mine')

  await page.getByRole('button', { name: 'Remove Connection 1: Bus' }).click()
  await expect(bus).toHaveCount(0)
  await system.fill('Mine still')
  await undo.last().click()
  await expect(bus).toBeVisible()
  await expect(file).toHaveValue(/^technicalSystem: Mine still\n[\s\S]*unitId: 7/)

  await page.getByRole('link', { name: /^Alerts(?! and)/ }).click()
  await expect(page.getByRole('heading', { name: 'Alerts', level: 1 })).toBeVisible()
  await page.goBack()
  await expect(system).toHaveValue('Mine still')

  await file.fill('technicalSystem: [half')
  await expect(page.getByText('cannot be read as a commissioning file')).toBeVisible()
  await page.request.delete(`${demo.baseUrl}/api/session`, { headers: { origin: demo.baseUrl } })
  // Not loaded yet, so the page learns that the session is over.
  await page.getByRole('link', { name: 'Audit log', exact: true }).click()
  await enterPassword(page, admin)
  await expect(accountMenu(page, admin)).toBeVisible()
  await page.goBack()
  await expect(file).toHaveValue('technicalSystem: [half')
  await page.getByRole('button', { name: 'Write the file again' }).click()
  await expect(file).toHaveValue(/^technicalSystem: Mine still\n/)
})

test('an installer who was slower learns who changed the system', async ({ page, demo, admin }) => {
  const { orgId, deviceId } = demo
  const operator = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const stored = async (name: string) => {
    const { technicalSystems } = await operator.listTechnicalSystems({ orgId, deviceId })
    const systemId = String(technicalSystems.find((each) => each.name === name)?.id)
    return operator.getCommissioningFile({ orgId, deviceId, systemId })
  }
  const before = await stored('Heating')
  await startSession(page, demo, admin)
  const { startFrom, file } = await openEditor(page, demo)
  await startFrom.click()
  await page.getByRole('option', { name: 'Heating' }).click()
  await expect(file).toHaveValue(/^technicalSystem: Heating\n/)
  const [connection, ...others] = before.connections
  try {
    const changed = {
      ...connection,
      settings: { ...connection?.settings, pollSeconds: 3 },
    } as (typeof before.connections)[0]
    await operator.commission({ orgId, deviceId, body: { ...before, connections: [changed, ...others] } })
    const check = page.getByRole('button', { name: 'Check with the controller' })
    await check.click()
    await expect(page.getByRole('alert').filter({ hasText: 'changed Heating' })).toContainText('while you were here')
    await expect(page.getByText(/pollSeconds: 3\ss → 1\ss/)).toBeVisible()
    await checkAxe(page)
  } finally {
    await operator.commission({ orgId, deviceId, body: before })
  }
})

test('a table of datapoints is read with its letters, as a spreadsheet of Windows saves it', async ({
  page,
  demo,
  admin,
}) => {
  await startSession(page, demo, admin)
  const { file } = await openEditor(page, demo)
  await page.getByRole('button', { name: 'Add connection' }).click()
  await page.getByRole('button', { name: 'Paste a table' }).click()
  const text = 'name;access;unit;scale;register;type\r\nKüche;R;°C;0,1;5;int16\r\n'
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose file' }).first().click(),
  ])
  await chooser.setFiles({ name: 'points.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') })
  await page.getByRole('button', { name: 'Add 1 datapoint' }).click()
  await expect(file).toHaveValue(/name: Küche\n[\s\S]*unit: °C\n/)
})
