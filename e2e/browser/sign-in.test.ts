import { accountMenu, enterPassword, expect, signIn, sitePath, test } from './support/test.ts'

test.describe('whoever is not signed in', () => {
  test('is asked to be at any address, and is there afterwards; also after a reload', async ({ page, demo }) => {
    await page.goto(sitePath(demo, '/reports'))
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await enterPassword(page, demo.user)
    await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible()
    expect(new URL(page.url()).pathname).toBe(sitePath(demo, '/reports'))
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible()
  })

  test('is told that the password is wrong, in words that do not say whether the address is known', async ({
    page,
    demo,
  }) => {
    for (const email of ['nobody@example.com', demo.user.email]) {
      await page.goto('/sign-in')
      await enterPassword(page, { email, password: 'not the right one' })
      await expect(page.getByRole('alert')).toContainText(/wrong e-mail address or password/i)
    }
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  })
})

test('whoever signs out is out: on the page, and for the service', async ({ page, manager }) => {
  await signIn(page, manager)
  const cookies = await page.context().cookies()
  expect(cookies).toMatchObject([{ name: '__Host-plantroom', httpOnly: true, secure: true, sameSite: 'Lax' }])
  await accountMenu(page, manager).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()

  // The session itself has ended: whoever kept its cookie has nothing.
  const kept = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const { status } = await fetch(new URL('/api/session', page.url()), { headers: { cookie: kept } })
  expect(status).toBe(401)
})
