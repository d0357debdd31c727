import { checkAxe } from './support/look.ts'
import { expect, LONG, organizationPath, signIn, test } from './support/test.ts'

test('a webhook shows its secret once, and its test says in the log what came of it', { tag: LONG }, async ({
  page,
  demo,
  admin,
}) => {
  await signIn(page, admin, organizationPath(demo, '/alert-settings'))
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const form = page.getByRole('dialog', { name: 'Add a webhook' })
  await expect(form.getByLabel('Address')).toHaveAttribute('maxlength', '2000')

  // A failure is shown also while the list, which is loaded again, does not answer.
  const isList = (url: URL) => url.pathname.endsWith('/webhooks')
  await page.route(isList, (route) => (route.request().method() === 'POST' ? route.abort() : undefined))
  await form.getByLabel('Address').fill('https://receiver.invalid/hook')
  await form.getByRole('button', { name: 'Add webhook' }).click()
  await expect(form.getByRole('alert')).toContainText('cannot be reached')
  await page.unroute(isList)

  // The service must not be a way into the network of its operator.
  await form.getByLabel('Address').fill('https://169.254.169.254/latest/meta-data')
  await form.getByRole('button', { name: 'Add webhook' }).click()
  await expect(form.getByRole('alert')).toContainText('does not lead to a public address')
  await expect(form.getByLabel('Address')).toHaveAccessibleDescription(/does not lead to a public address/)

  const host = `receiver-${Date.now()}.invalid`
  await form.getByLabel('Address').fill(`https://${host}/hook`)
  await form.getByRole('button', { name: 'Add webhook' }).click()
  const shown = page.getByRole('dialog', { name: 'Secret of the webhook' })
  const secret = await shown.getByLabel('Secret', { exact: true }).inputValue()
  expect(secret).toMatch(/^whsec_/)
  await shown.getByRole('button', { name: 'I have stored it' }).click()
  await expect(page.getByRole('row').filter({ hasText: host })).toContainText('Active')
  expect(await page.content()).not.toContain(secret)

  await page.getByRole('button', { name: `New secret for the webhook to ${host}` }).click()
  const question = page.getByRole('dialog', { name: `Create a new secret for the webhook to ${host}?` })
  await question.getByRole('radio', { name: 'Works for one more hour' }).check()
  await question.getByRole('button', { name: 'Create secret' }).click()
  expect(await shown.getByLabel('Secret', { exact: true }).inputValue()).not.toBe(secret)
  await shown.getByRole('button', { name: 'I have stored it' }).click()
  const row = page.getByRole('row').filter({ hasText: host })
  await expect(row).toContainText('also signed with the previous secret until')

  await page.getByRole('button', { name: `Turn off the webhook to ${host}` }).click()
  await expect(row).toContainText('Disabled')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('Active')

  await page.getByRole('button', { name: `Send a test to ${host}` }).click()
  const log = page.getByRole('dialog', { name: `Deliveries to ${host}` })
  await expect(log.getByRole('row').filter({ hasText: 'Test' })).toContainText('does not lead to a public address')
  await expect(log).toContainText('so far')
  await checkAxe(page, ['[role=dialog]'])
  await log.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: `Remove the webhook to ${host}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: host })).toBeHidden()

  // The demo has no mail server.
  await expect(page.getByText('This service sends no mail')).toBeVisible()
  await expect(page.getByText('Mail goes to')).toHaveCount(0)
  const offline = page.getByRole('row').filter({ hasText: 'Controller offline' })
  await offline.getByLabel('Opens after: Controller offline').fill('0.5 h')
  await page.getByRole('button', { name: 'Save rules' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Rules saved' })).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Opens after: Controller offline')).toHaveValue('30 min')
})
