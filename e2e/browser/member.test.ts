import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { lookAt } from './support/look.ts'
import { accountMenu, expect, LONG, organizationPath, signIn, test } from './support/test.ts'

test('an invited member sets a password and sees only permitted pages', async ({ page, demo, admin, browser }) => {
  const invited = { email: `night-${Date.now()}@example.com`, password: 'several words are easier' }
  await signIn(page, admin, organizationPath(demo, '/members'))
  await page.getByRole('button', { name: 'Invite member' }).click()
  const form = page.getByRole('dialog', { name: 'Invite member' })
  await form.getByLabel('E-mail address').fill(invited.email)
  await form.getByLabel('By site').check()
  await form.getByRole('combobox', { name: 'Viewer of these sites' }).fill('demo')
  await page.getByRole('option', { name: /demo/i }).click()
  await form.getByRole('button', { name: 'Invite' }).click()
  const shown = page.getByRole('dialog', { name: `Invitation link for ${invited.email}` })
  const link = await shown.getByLabel('Link').inputValue()

  const theirs = await (await browser.newContext()).newPage()
  await theirs.goto(link)
  await theirs.getByRole('textbox', { name: 'New password', exact: true }).fill(invited.password)
  await theirs.getByRole('textbox', { name: 'Repeat the new password' }).fill(invited.password)
  await theirs.getByRole('button', { name: /^Set .*password and sign in$/ }).click()
  await expect(accountMenu(theirs, invited)).toBeVisible()
  await expect(theirs.getByRole('navigation').getByRole('link', { name: 'Members' })).toHaveCount(0)

  // A link works once.
  const again = await (await browser.newContext()).newPage()
  await again.goto(link)
  await expect(again.getByText('This link no longer works')).toBeVisible()
})

test('a person with an account joins a second organization with its link, and nothing else changes', {
  tag: LONG,
}, async ({ page, demo, manager }) => {
  const operator = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const name = `Neighbour ${Date.now()}`
  const { id: orgId } = await operator.addOrganization({ body: { name } })
  const { link } = await operator.addMember({ orgId, body: { email: manager.email, role: 'admin' } })

  await signIn(page, manager, '/account')
  await expect(page.getByText(`${name} invites you as an administrator.`)).toBeVisible()
  await expect(page.getByText(`You are an administrator of ${name}`)).toHaveCount(0)
  await page.context().clearCookies()
  await page.goto(link ?? '')
  await expect(page.getByRole('heading', { name: `Join ${name}` })).toBeVisible()
  await lookAt(page)
  await page.getByRole('textbox', { name: 'Password' }).fill(manager.password)
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(accountMenu(page, manager)).toBeVisible()
  await page.goto('/account')
  await expect(page.getByText(`You are an administrator of ${name}`)).toBeVisible()
})

test('a person signs out of another browser on the account page', { tag: LONG }, async ({
  page,
  demo,
  viewer,
  browser,
}) => {
  const other = await (await browser.newContext({ baseURL: demo.baseUrl })).newPage()
  await signIn(other, viewer)
  await signIn(page, viewer, '/account')
  await lookAt(page)
  await page
    .getByRole('button', { name: /^Sign out of / })
    .first()
    .click()
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(page.getByRole('button', { name: /^Sign out of / })).toHaveCount(0)
  await other.reload()
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})
