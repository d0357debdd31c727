import type { BrowserContext } from '@playwright/test'
import { currentDemo } from './support/demo-folder.ts'
import { checkAxe, expectNothingWider, lookAt } from './support/look.ts'
import { openDialog, openPage, SITE_PAGES } from './support/site-pages.ts'
import { test as base, expect, LONG, sitePath, startSession } from './support/test.ts'

/** A signed-in profile that the pages of one worker share: they change nothing, and load the console's files once. */
const test = base.extend<object, { signedIn: BrowserContext }>({
  signedIn: [
    async ({ browser }, use) => {
      const demo = currentDemo()
      await using context = await browser.newContext({
        baseURL: demo.baseUrl,
        locale: 'en-GB',
        timezoneId: 'Europe/Tallinn',
      })
      const page = await context.newPage()
      await startSession(page, demo, demo.user)
      await page.close()
      await use(context)
    },
    { scope: 'worker' },
  ],
})

for (const [name, path] of [
  ['sign-in', '/sign-in'],
  ['set-up', '/setup#none'],
  ['reset', '/reset'],
  ['welcome', '/welcome#none'],
] as const) {
  test(`before sign-in: ${name}`, async ({ page }) => {
    await page.goto(path)
    await lookAt(page)
  })
}

test('the API reference', { tag: LONG }, async ({ page }) => {
  await page.goto('/docs/#/Alerts%20and%20webhooks/listAlerts')
  await expect(page.getByRole('combobox', { name: 'kind' })).toBeVisible()
  // One operation of each method is enough: the whole page takes a minute.
  const operations = ['listAlerts', 'setAlertRules', 'addWebhook', 'changeWebhook', 'removeWebhook']
  const parts = operations.map((operation) => `[id="operations-Alerts_and_webhooks-${operation}"]`)
  await checkAxe(page, ['.information-container', ...parts])
  await page.getByRole('searchbox', { name: 'Search the help' }).fill('cancle an overide')
  await page
    .getByRole('link', { name: /Cancel an override/ })
    .first()
    .click()
  await expect(page.locator('[id="operations-Edge_device_commands-demandResponseCancel"] .opblock-body')).toBeVisible()
  await checkAxe(page, ['search'])
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNothingWider(page, 360)
})

test('the help beside a page, in German', async ({ browser, demo }) => {
  await using context = await browser.newContext({ baseURL: demo.baseUrl, locale: 'de-DE' })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Hilfe' }).click()
  const panel = page.getByRole('complementary', { name: 'Hilfe' })
  await expect(panel.getByRole('heading', { level: 1, name: 'Anmelden' })).toBeVisible()
  await checkAxe(page)
  await panel.getByRole('searchbox').fill('wie setze ich mein Pasword zurück')
  await panel.getByRole('link', { name: 'Anmelden › Ein vergessenes Passwort zurücksetzen' }).click()
  await expect(panel.getByRole('heading', { name: 'Ein vergessenes Passwort zurücksetzen' })).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Hilfe' })).toBeFocused()
})

test('the help follows the page, and its links stay beside it', async ({ signedIn, demo }) => {
  const page = await signedIn.newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(sitePath(demo, '/alerts'))
  await page.getByRole('button', { name: 'Help' }).click()
  const panel = page.getByRole('complementary', { name: 'Help' })
  await expect(panel.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
  await panel.getByRole('link', { name: 'mail and webhooks' }).click()
  await expect(panel.getByRole('heading', { level: 1, name: 'Alerts and webhooks' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Calendar' }).click()
  await expect(panel.getByRole('heading', { level: 1, name: 'Calendar' })).toBeVisible()
  await checkAxe(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNothingWider(page, 360)
  await page.close()
})

test('the help', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/help/tutorial/first-override')
  await lookAt(page)
  await page.setViewportSize({ width: 1440, height: 900 })

  // Only the command, without the prompt and the output.
  const transcript = page.locator('.code', { hasText: 'dr cancel' })
  await transcript.hover()
  await transcript.getByRole('button', { name: 'Copy commands' }).click()
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^plantroom dr cancel ovr_\w+\n$/)

  await page.keyboard.press('/')
  await page.keyboard.type('retentoin')
  const found = page.getByRole('region', { name: 'Search results' }).getByRole('link')
  await expect(found.first()).toContainText('Export automatically › Retention')
  await checkAxe(page, ['header'])
  await page.keyboard.press('ArrowDown')
  await expect(found.first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(found).toHaveCount(0)
  await page.getByRole('searchbox').fill('retentoin')
  await expect(found.first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/help\/how-to\/export-automatically#retention$/)
  await expect(page.locator('#pages [aria-current=page]')).toBeInViewport()

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/help/how-to/overrides-of-one-datapoint')
  await expect(page.getByRole('heading', { name: 'Pages that may help' })).toBeVisible()
  await checkAxe(page)
  await page.getByRole('button', { name: 'Pages' }).click()
  await checkAxe(page, ['#pages'])
  // The bar stays in reach, so that the list can be closed again.
  await page.getByRole('button', { name: 'Pages' }).click()
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden()
  await page.getByRole('button', { name: 'Pages' }).click()
  await page.getByRole('link', { name: 'Run in production' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Run in production' })).toBeVisible()
  await expectNothingWider(page, 360)
})

/** Pages share their parts. The suite looks at every sixth one, and a campaign at all of them. */
const isLookedAt = (index: number) => process.env.PLANTROOM_TEST_RUNS !== undefined || index % 6 === 0

for (const [index, each] of [...SITE_PAGES.entries()].filter(([place]) => isLookedAt(place))) {
  test(`for an admin: ${each.name}`, async ({ signedIn, demo }) => {
    const page = await signedIn.newPage()
    await openPage(page, each, demo)
    await lookAt(page, index % 2 === 0 ? 'light' : 'dark')
    for (const button of Object.values(each.dialogs ?? {})) {
      const close = await openDialog(page, button)
      await checkAxe(page, ['[role=dialog]'])
      await close()
    }
    await page.close()
  })
}
