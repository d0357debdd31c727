import { expect, signIn, sitePath, test } from './support/test.ts'

test('a page of which a part does not come is loaded anew once, then says so instead of being blank', async ({
  page,
  demo,
  manager,
}) => {
  await signIn(page, manager, sitePath(demo))
  let asked = 0
  page.on('load', () => {
    asked += 1
  })
  await page.route('**/assets/reports-page*', (route) => route.fulfill({ status: 404, body: '' }))
  await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click()
  await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible()
  expect(asked).toBe(1)

  await page.unroute('**/assets/reports-page*')
  await page.getByRole('button', { name: 'Load the page again' }).click()
  await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible()
})
