import { join } from 'node:path'
import { createClient } from '@plantroom/client/client'
import { createCommands } from '@plantroom/client/commands'
import { sendWithKey, sendWithToken } from '@plantroom/client/http'
import type { Page } from '@playwright/test'
import { currentDemo } from '../browser/support/demo-folder.ts'
import { failImport } from '../browser/support/fail-import.ts'
import { holdForAWhile } from '../browser/support/hold.ts'
import { settled } from '../browser/support/look.ts'
import { openDialog, openPage, SITE_PAGES } from '../browser/support/site-pages.ts'
import { expect, sitePath, startSession, test } from '../browser/support/test.ts'
import type { DemoJson } from '../support/demo.ts'

const FOLDER = process.env.PLANTROOM_SCREENSHOTS ?? 'screenshots'
const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** What the pages show: a hold, an alert and a code. Each worker sees to it. */
test.beforeAll(async () => {
  const demo = currentDemo()
  const { orgId, baseUrl, adminToken, apiKey } = demo
  const { alerts } = await createClient(sendWithToken(baseUrl, adminToken)).listAlerts({
    orgId,
    query: { open: 'true' },
  })
  if (alerts.length === 0) await failImport(demo, 'october.fpl')
  const commands = createCommands(createClient(sendWithKey(baseUrl, apiKey)), demo)
  const points = demo.connections.flatMap(({ datapoints }) => datapoints)
  for (const [name, value] of Object.entries({ 'Charge power': 24, 'Supply air': 19 })) {
    await holdForAWhile(commands, points.find((point) => point.name === name)?.id ?? '', value)
  }
  await codeOf(demo)
})

for (const each of SITE_PAGES) {
  test(each.name, async ({ page, demo }) => {
    await startSession(page, demo, demo.user)
    await openPage(page, each, demo)
    await shoot(page, each.name)
    for (const [dialog, button] of Object.entries(each.dialogs ?? {})) {
      await page.setViewportSize(WIDE)
      const close = await openDialog(page, button)
      await shoot(page, `dialog-${dialog}`, { fullPage: false })
      await close()
    }
  })
}

/** What opens by a click or a key on a page, by its name. */
const OPENED: Record<string, { path?: string; open: (page: Page) => Promise<void> }> = {
  'release-all': { open: (page) => page.getByRole('button', { name: /^Release all at/ }).click() },
  alert: { path: '/alerts', open: (page) => press(page, 'Assign, snooze or note…') },
  code: { path: '/settings/people', open: (page) => press(page, /^Show and print the code/) },
  palette: { open: (page) => page.keyboard.press('Control+k') },
  shortcuts: { open: (page) => page.keyboard.press('?') },
  'account-menu': { open: (page) => press(page, /^Account: /) },
  'help-beside': { path: '/alerts', open: (page) => press(page, 'Help') },
}

for (const [name, { path, open }] of Object.entries(OPENED)) {
  test(`opened: ${name}`, async ({ page, demo }) => {
    await startSession(page, demo, demo.user)
    await page.goto(sitePath(demo, path))
    await settled(page)
    await open(page)
    await page
      .getByRole(name === 'account-menu' ? 'menu' : name === 'help-beside' ? 'complementary' : 'dialog')
      .waitFor()
    await shoot(page, `opened-${name}`, { fullPage: false })
  })
}

test('code on paper', async ({ page, demo }) => {
  await startSession(page, demo, demo.user)
  await page.goto(sitePath(demo, '/settings/people'))
  await press(page, /^Show and print the code/)
  await page.getByRole('dialog').waitFor()
  await page.emulateMedia({ media: 'print' })
  await page.screenshot({ path: join(FOLDER, 'code-on-paper.png') })
})

test('request form', async ({ page, demo }) => {
  await page.goto(new URL(await codeOf(demo)).pathname)
  await settled(page)
  await shoot(page, 'request-form')
})

for (const path of ['sign-in', 'reset', 'welcome#none']) {
  test(path, async ({ page }) => {
    await page.goto(`/${path}`)
    await settled(page)
    await shoot(page, path.replace('#none', ''))
  })
}

test('api-reference', async ({ page }) => {
  await page.goto('/docs/')
  await expect(page.getByRole('button', { name: /GET/ }).first()).toBeVisible()
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size)
    await page.screenshot({ path: join(FOLDER, `api-reference-${size.width}.png`) })
  }
})

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

/** Returns the address of the form of a code, and adds one if there is none. */
async function codeOf({ baseUrl, adminToken, orgId, propertyId }: DemoJson): Promise<string> {
  const operator = createClient(sendWithToken(baseUrl, adminToken))
  const { codes } = await operator.listRequestCodes({ orgId, propertyId })
  const add = () => operator.addRequestCode({ orgId, propertyId, body: { label: 'Boiler 2, basement' } })
  return (codes[0] ?? (await add())).url
}

/** Keeps what is open in both widths and both color schemes. */
async function shoot(page: Page, name: string, { fullPage } = { fullPage: true }): Promise<void> {
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const path = join(FOLDER, `${name}-${size.width}-${colorScheme}.png`)
      await page.screenshot({ path, fullPage, animations: 'disabled' })
    }
  }
}
