import { currentDemo } from './support/demo-folder.ts'
import { failImport } from './support/fail-import.ts'
import { checkAxe, lookAt } from './support/look.ts'
import { expect, sitePath, startSession, test } from './support/test.ts'

test('an alert is acknowledged, assigned, snoozed, and leads to a request and back', async ({
  page,
  demo,
  manager,
}) => {
  const filename = `alert-${Date.now()}.fpl`
  await failImport(demo, filename)
  await startSession(page, demo, manager)
  await page.goto(sitePath(demo))
  const status = page.getByRole('status', { name: 'Status of the site' })
  await status.getByRole('link', { name: `The import of ${filename} failed` }).click()

  const card = page.getByRole('listitem').filter({ hasText: filename })
  await expect(card).toContainText('Open Import / Export, read what failed, and import the package again.')
  // Others may open or close meanwhile.
  await expect(async () => {
    const causes = await page.getByRole('list', { name: 'Open alerts' }).locator('> li').count()
    const link = page.getByRole('navigation').getByRole('link', { name: `Alerts ${causes} open` })
    await expect(link).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await card.getByRole('button', { name: 'Acknowledge' }).click()
  await expect(card).toContainText(`Acknowledged by ${manager.email}`)
  await lookAt(page)

  await card.getByRole('button', { name: 'Assign, snooze or note…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`${manager.email}: acknowledged it`)
  await dialog.getByRole('combobox', { name: 'Assigned to' }).click()
  await checkAxe(page, ['[role=dialog]', '[role=listbox]'])
  await page.getByRole('option', { name: manager.email }).click()
  await dialog.getByRole('combobox', { name: 'Snooze' }).click()
  await page.getByRole('option', { name: 'For 8 hours' }).click()
  await dialog.getByLabel('Note').fill('The sender makes it again')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(card).toContainText(`Assigned to ${manager.email}`)
  await expect(card).toContainText('Snoozed until')

  await card.getByRole('button', { name: 'Make a request' }).click()
  await expect(page).toHaveURL(/\/requests\/\d+$/)
  await expect(page.getByRole('heading', { name: `The import of ${filename} failed` })).toBeVisible()
  await page.goto(sitePath(demo, '/alerts'))
  await card.getByRole('button', { name: 'Assign, snooze or note…' }).click()
  await expect(dialog).toContainText(/made request #\d+/)
  await expect(dialog).toContainText('“The sender makes it again”')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await card.getByRole('link', { name: /^Request #\d+$/ }).click()
  await expect(page).toHaveURL(/\/requests\/\d+$/)
})

test('a site says what is wrong before it is an alert', async ({ page, demo, viewer }) => {
  await startSession(page, demo, viewer)
  await page.goto(sitePath(demo))
  const status = page.getByRole('status', { name: 'Status of the site' })
  process.kill(currentDemo().pids.simulator, 'SIGSTOP')
  try {
    await expect(status).toContainText('has lost its connection to Inverter')
    await page.goto(sitePath(demo, '/alerts'))
    const becoming = page.getByRole('table', { name: 'Becoming an alert' })
    await expect(becoming).toContainText('has lost its connection to Inverter')
    await expect(becoming).toContainText(/in \d+ (s|min)/)
    await expect(page.getByText('Nothing is wrong')).toBeHidden()
  } finally {
    process.kill(currentDemo().pids.simulator, 'SIGCONT')
  }
  await expect(page.getByRole('table', { name: 'Becoming an alert' })).toBeHidden()
})
