import { createClient } from '@plantroom/client/client'
import { createCommands } from '@plantroom/client/commands'
import { sendWithKey } from '@plantroom/client/http'
import type { Page } from '@playwright/test'
import type { DemoJson } from '../support/demo.ts'
import { countClicks } from './support/clicks.ts'
import { readRegister } from './support/equipment.ts'
import { holdForAWhile } from './support/hold.ts'
import { checkAxe } from './support/look.ts'
import { datapointRow, expect, LONG, startSession, test } from './support/test.ts'

// Where people arrive after signing in.
const START = '/'
const NAME = 'Charge power'

const clientOf = (demo: DemoJson) => createClient(sendWithKey(demo.baseUrl, demo.apiKey))

async function hold(demo: DemoJson, value: number): Promise<void> {
  const datapointId = demo.connections.flatMap(({ datapoints }) => datapoints).find(({ name }) => name === NAME)?.id
  await holdForAWhile(createCommands(clientOf(demo), demo), datapointId ?? '', value)
}

async function addRequest(demo: DemoJson): Promise<{ number: number; title: string }> {
  const { orgId, propertyId } = demo
  const title = `Lamp flickers ${Date.now()}`
  const { number } = await clientOf(demo).addRequest({ orgId, propertyId, body: { title } })
  return { number, title }
}

const go = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const cardOf = (page: Page) =>
  page.getByRole('article').filter({ has: page.getByRole('link', { name: NAME, exact: true }) })

test('a viewer answers the questions of a night in two clicks at most', async ({ page, demo, viewer }) => {
  await hold(demo, 24)
  const { number, title } = await addRequest(demo)
  await startSession(page, demo, viewer)
  const within = await countClicks(page)

  await within('see what is held, until when and then what', START, 0, async () => {
    await expect(cardOf(page)).toContainText(/Held at\s*24\skW/)
    await expect(cardOf(page)).toContainText(/Until \d\d:\d\d/)
    await expect(cardOf(page)).toContainText(/Then back to/)
  })
  await within('see all values of a controller', START, 1, async () => {
    await page.getByRole('link', { name: 'Demo controller' }).first().click()
    await expect(datapointRow(page, 'Fan speed')).toContainText('%')
  })
  await within('see the values of the last day', START, 2, async () => {
    await page.getByRole('link', { name: NAME, exact: true }).click()
    await page.getByRole('link', { name: `Chart of ${NAME}`, exact: true }).click()
    await expect(page.getByRole('application', { name: new RegExp(`^Chart of ${NAME}\\. \\d`) })).toBeVisible()
  })
  await within('find a request by its number', START, 2, async () => {
    await page.getByRole('button', { name: /^Search or go to/ }).click()
    await page.getByRole('combobox', { name: 'Search or go to' }).fill(`#${number}`)
    await page.getByRole('option', { name: new RegExp(title) }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
  })
  await within('see who changed what', START, 1, async () => {
    await go(page, 'Audit log')
    await expect(page.getByRole('main')).toContainText(NAME)
  })
})

test('a manager acts in five clicks at most', async ({ page, demo, manager }) => {
  const { title } = await addRequest(demo)
  await startSession(page, demo, manager)
  const within = await countClicks(page)
  const main = page.getByRole('main')

  await within('override a datapoint', START, 3, async () => {
    await page.getByRole('link', { name: 'Demo controller' }).first().click()
    await press(page, `Override… ${NAME}`)
    await page.getByRole('dialog').getByLabel('Value').fill('19')
    await press(page, 'Override now')
    await expect.poll(() => readRegister(demo, NAME)).toBe(19)
    // It goes back in the history when it closes, which would end the next navigation.
    await expect(page.getByRole('dialog')).toBeHidden()
  })
  await within('release everything', START, 2, async () => {
    await expect(cardOf(page)).toContainText(`placed by ${manager.email}`)
    await press(page, 'Release all at this site…')
    await checkAxe(page, ['[role=dialog]'])
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Release \d/ })
      .click()
    await expect.poll(() => readRegister(demo, NAME)).not.toBe(19)
  })
  await within('answer a request', START, 3, async () => {
    await go(page, 'Maintenance requests')
    await page.getByRole('link', { name: title }).click()
    await page.getByRole('textbox', { name: 'Staff comment' }).pressSequentially('Tomorrow at nine.')
    await press(page, 'Add comment')
    await expect(main).toContainText('Tomorrow at nine.')
  })
  await within('close a request', START, 5, async () => {
    await go(page, 'Maintenance requests')
    await page.getByRole('link', { name: title }).click()
    await press(page, 'Change state')
    await checkAxe(page, ['[role=menu]'])
    // Its styles load later than those of the button that it is made of.
    await expect(page.getByRole('menuitem', { name: 'Closed' })).not.toHaveCSS('padding-left', '0px')
    await page.getByRole('menuitem', { name: 'Closed' }).click()
    await checkAxe(page, ['[role=dialog]'])
    await page.getByRole('dialog').getByRole('button', { name: 'Change to “Closed”' }).click()
    await expect(page.getByText('State changed to “Closed”')).toBeVisible()
  })
  await within('report a fault', START, 3, async () => {
    await go(page, 'Maintenance requests')
    await press(page, 'New request')
    await page.getByRole('dialog').getByLabel('Title').fill(`Door jams ${Date.now()}`)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /request$/ })
      .click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Door jams')
  })
})

test('an administrator sets things up in four clicks at most', { tag: LONG }, async ({ page, demo, admin }) => {
  await startSession(page, demo, admin)
  const within = await countClicks(page)
  const dialog = page.getByRole('dialog')
  const unique = Date.now()

  await within('create a key for a partner', START, 4, async () => {
    await go(page, 'API keys')
    await press(page, 'Create key')
    await dialog.getByLabel('Name').fill(`Partner ${unique}`)
    await dialog.getByRole('checkbox', { name: 'Edge devices read & write' }).check()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await expect(dialog.getByLabel('API key', { exact: true })).toHaveValue(/^plr_/)
  })
  await within('revoke a key', START, 3, async () => {
    await go(page, 'API keys')
    await press(page, `Revoke Partner ${unique}`)
    await dialog.getByRole('button', { name: /^Revoke/ }).click()
    await expect(page.getByRole('row').filter({ hasText: `Partner ${unique}` })).toContainText('Revoked')
  })
  await within('invite a colleague', START, 3, async () => {
    await go(page, 'Members')
    await press(page, 'Invite member')
    await dialog.getByLabel('E-mail address').fill(`colleague-${unique}@example.com`)
    await dialog.getByLabel('On all sites').selectOption('Viewer: can view everything')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await expect(dialog.getByLabel('Link')).toHaveValue(/#/)
  })
  await within('add a controller', START, 3, async () => {
    await go(page, 'Technical systems')
    await press(page, 'Add controller')
    await dialog.getByLabel('Name').fill(`Roof ${unique}`)
    await dialog.getByRole('button', { name: 'Add controller' }).click()
    await expect(dialog.locator('pre')).toContainText(' plantroom edge')
  })
  await within('send alerts to a webhook', START, 3, async () => {
    await go(page, 'Alerts and webhooks')
    await press(page, 'Add webhook')
    await dialog.getByLabel('Address').fill(`https://receiver-${unique}.invalid/hook`)
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    await expect(dialog.getByLabel('Secret', { exact: true })).toHaveValue(/^whsec_/)
  })
})
