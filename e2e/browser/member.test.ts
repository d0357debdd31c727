import { accountMenu, expect, signIn, sitePath, test } from './support/test.ts'

test('an invited member sets a password and sees only permitted pages', async ({ page, demo, admin, browser }) => {
  const invited = { email: `night-${Date.now()}@example.com`, password: 'several words are easier' }
  await signIn(page, admin, sitePath(demo, '/settings/members'))
  await page.getByRole('button', { name: 'Invite member' }).click()
  const form = page.getByRole('dialog', { name: 'Invite member' })
  await form.getByLabel('E-mail address').fill(invited.email)
  await form.getByLabel('By site').check()
  await form.getByLabel(/^Role on /).selectOption('Viewer: can view everything')
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
