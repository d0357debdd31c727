import { checkAxe } from './support/look.ts'
import { accountMenu, enterPassword, expect, signIn, sitePath, startSession, test } from './support/test.ts'

test.describe('without a session', () => {
  test('any address asks for a sign-in and then shows its page, also after a reload', async ({ page, demo }) => {
    await page.goto(sitePath(demo, '/reports'))
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await enterPassword(page, demo.user)
    await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible()
    expect(new URL(page.url()).pathname).toBe(sitePath(demo, '/reports'))
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible()
  })

  test('a failed sign-in does not reveal whether the address exists', async ({ page, demo }) => {
    for (const email of ['nobody@example.com', demo.user.email]) {
      await page.goto('/sign-in')
      await enterPassword(page, { email, password: 'not the right one' })
      await expect(page.getByRole('alert')).toContainText(/wrong e-mail address or password/i)
    }
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  })
})

test('a session that ended elsewhere says so, and the same page returns after the sign-in', async ({
  page,
  demo,
  manager,
}) => {
  const reason = page.getByRole('status').filter({ hasText: 'Your session has ended' })
  await startSession(page, demo, manager)
  await page.goto(sitePath(demo, '/reports'))
  const end = async () => {
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    const answer = await fetch(new URL('/api/session', demo.baseUrl), {
      method: 'DELETE',
      headers: { cookie, origin: demo.baseUrl },
    })
    expect(answer.ok).toBe(true)
  }
  await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible()
  await end()
  // The page may have noticed it before: then there is no such button any more.
  await page.getByRole('button', { name: 'Refresh' }).evaluateAll((buttons) => {
    for (const button of buttons as { click(): void }[]) button.click()
  })
  await expect(reason).toBeVisible()
  await enterPassword(page, manager)
  await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible()

  // Also when the page was closed in between; not after a sign-out.
  await end()
  await page.reload()
  await expect(reason).toBeVisible()
  await enterPassword(page, manager)
  await accountMenu(page, manager).click()
  await checkAxe(page, ['[role=menu]'])
  const ended = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await ended
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(reason).toHaveCount(0)
})

test('a sign-out that overtakes a question about the session does not look like an ended session', async ({
  page,
  demo,
  manager,
}) => {
  await startSession(page, demo, manager)
  await page.goto(sitePath(demo, '/reports'))
  await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible()
  const [asked, ended, seen] = [gate(), gate(), gate()]
  await page.route('**/api/session', async (route) => {
    if (route.request().method() === 'GET') {
      asked.open()
      await ended.opened
      return route.continue()
    }
    const response = await route.fetch()
    ended.open()
    await seen.opened
    return route.fulfill({ response })
  })
  const refused = { status: 401, json: { code: 'UNAUTHENTICATED', message: 'no session' } }
  await page.route(/\/reports\?/, (route) => route.fulfill(refused))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await asked.opened
  await accountMenu(page, manager).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText('Your session has ended')).toHaveCount(0)
  seen.open()
})

/** Something that others wait for. */
function gate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  return { opened, open }
}

test('signing out ends the session on the page and in the service', async ({ page, manager }) => {
  await signIn(page, manager)
  const cookies = await page.context().cookies()
  const strict = { httpOnly: true, secure: true, sameSite: 'Lax' }
  expect(cookies.toSorted((one, other) => (one.name < other.name ? 1 : -1))).toMatchObject([
    { name: '__Host-plantroom', ...strict },
    { name: '__Host-device-plantroom', ...strict },
  ])
  await accountMenu(page, manager).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()

  // The session itself has ended: a copy of its cookie is useless.
  const kept = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const { status } = await fetch(new URL('/api/session', page.url()), { headers: { cookie: kept } })
  expect(status).toBe(401)
})
