import { checkAxe, lookAt } from './support/look.ts'
import { expect, sitePath, startSession, test } from './support/test.ts'

/** Above what the demo draws, so that nothing is moved and other tests see the same building. */
const CEILING = /At most 120\skW from the grid/

test('a limit is placed and released by keyboard, shown where people look first, and proven', async ({
  page,
  demo,
  manager,
}) => {
  test.slow()
  await startSession(page, demo, manager)
  await page.goto(sitePath(demo))
  await page.getByRole('button', { name: 'Limit power' }).press('Enter')
  const form = page.getByRole('dialog', { name: /^Limit the power of / })
  const kw = form.getByRole('textbox', { name: 'Limit (kW)' })
  await expect(kw).toBeFocused()
  await kw.press('Enter')
  await expect(kw).toBeFocused()
  await kw.fill('-1')
  await kw.press('Enter')
  await expect(form.getByText('Enter 0 or more.')).toBeVisible()
  await checkAxe(page, ['[role="dialog"]'])
  await kw.fill('120')
  await form.getByRole('textbox', { name: 'Reason' }).fill('feeder 7')
  await kw.press('Enter')
  await expect(form).toBeHidden()

  const section = page.getByRole('region', { name: 'Power limit' })
  const placed = section.getByRole('list', { name: 'Limits in force and queued' }).getByRole('listitem')
  await expect(placed.filter({ hasText: 'feeder 7' })).toContainText(CEILING)
  await expect(section.getByRole('status')).toHaveText('The controller keeps the site within its limit.')
  await checkAxe(page, ['section[aria-labelledby=power-limit]'])
  const grid = page.getByRole('listitem').filter({ hasText: 'Grid' }).first()
  await expect(grid).toContainText(/Limit \d+\skW/)

  await page.goto('/?all')
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Demo building' }) })
  await expect(row).toContainText('Limited', { timeout: 30_000 })
  await expect(row).toContainText(CEILING)
  await page.getByRole('button', { name: '1 site limited' }).press('Enter')
  await expect(page.getByRole('button', { name: '1 site limited', pressed: true })).toBeVisible()
  await expect(row).toBeVisible()

  await page.goto(sitePath(demo))
  await section.getByRole('button', { name: 'Release the limit: At most 120' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Release limit' }).press('Enter')
  await expect(placed.filter({ hasText: 'feeder 7' })).toHaveCount(0)

  await section.getByRole('link', { name: 'Intervals and proof' }).press('Enter')
  const intervals = page.getByRole('table', { name: 'Intervals under a limit' })
  await expect(async () => {
    await page.reload()
    const row = intervals.getByRole('row').filter({ hasText: /120\skW/ })
    // The stricter limit of the commissioning file is what the site had to keep.
    await expect(row.first()).toContainText(/Peak shaving at 90\skW/)
  }).toPass({ timeout: 30_000 })
  await lookAt(page)
  const csv = page.getByRole('link', { name: 'Download CSV' })
  const file = await (await page.request.get(String(await csv.getAttribute('href')))).text()
  expect(file).toMatch(/^from,to,deviceId,direction,limitKw,/)
  expect(file).toContain(',import,120,')

  const meter = demo.connections.flatMap(({ datapoints }) => datapoints).find(({ name }) => name === 'Grid power')?.id
  await page.goto(sitePath(demo, `/charts?show=${demo.deviceId}/${meter}`))
  await expect(page.getByRole('list', { name: 'Limits' })).toContainText(/Power limit/)
})

test('a limit is drawn in an open chart of its meter as soon as the controller has it', async ({
  page,
  demo,
  manager,
}) => {
  await startSession(page, demo, manager)
  const meter = demo.connections.flatMap(({ datapoints }) => datapoints).find(({ name }) => name === 'Grid power')?.id
  await page.goto(sitePath(demo, `/charts?show=${demo.deviceId}/${meter}&range=1h`))
  await expect(page.getByRole('application', { name: /Grid power/ })).toBeVisible()
  const limits = page.getByRole('list', { name: 'Limits' })
  const headers = { 'X-Api-Key': demo.apiKey }
  const path = `/api/orgs/${demo.orgId}/limits`
  const data = {
    ...{ idempotencyKey: `chart ${Date.now()}`, siteId: demo.propertyId, direction: 'import', kw: 131 },
    to: new Date(Date.now() + 3_600_000).toISOString(),
  }
  const { id } = await (await page.request.post(path, { headers, data })).json()
  await expect(limits).toContainText(/Power limit .*131\skW/)
  await page.request.delete(`${path}/${id}`, { headers })
})
