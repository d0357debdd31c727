import { expect, signIn, sitePath, test } from './support/test.ts'

test('a page with a missing chunk reloads once, then shows an error instead of staying blank', async ({
  page,
  demo,
  manager,
}) => {
  await signIn(page, manager, sitePath(demo))
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await page.route('**/assets/reports-page*', (route) => route.fulfill({ status: 404, body: '' }))
  await page.getByRole('navigation').getByRole('link', { name: 'Audit log' }).click()
  await expect(page.getByRole('heading', { name: 'This page could not be displayed' })).toBeVisible()
  expect(loads).toBe(1)

  await page.unroute('**/assets/reports-page*')
  await page.getByRole('button', { name: 'Reload page' }).click()
  await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible()
})
