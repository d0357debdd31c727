import { createClient } from '@plantroom/client/client'
import { sendWithKey } from '@plantroom/client/http'
import { expect, signIn, sitePath, test } from './support/test.ts'

test('an answer to a request is mailed to the reporter', async ({ page, demo, manager }) => {
  const client = createClient(sendWithKey(demo.baseUrl, demo.apiKey))
  const { orgId, propertyId } = demo
  const reporter = `resident-${Date.now()}@example.com`
  const title = `Tap drips ${Date.now()}`
  const { number } = await client.addRequest({
    orgId,
    propertyId,
    body: {
      title,
      description: 'In the <b>kitchen</b>, since Sunday.',
      reporter: { name: 'Mari Maasikas', email: reporter },
    },
  })
  await signIn(page, manager, sitePath(demo, '/requests'))
  await page.getByLabel('Search').fill(title)
  await expect(page.getByRole('main')).toContainText('1 request matches')
  await page.getByRole('link', { name: title }).click()

  await expect(page.getByRole('heading', { level: 1 })).toContainText(`#${number} ${title}`)
  await expect(page.getByRole('main')).toContainText('In the <b>kitchen</b>, since Sunday.')
  await expect(page.getByRole('main')).toContainText(`The comment will be mailed to ${reporter}.`)
  const answer = 'We come tomorrow at nine.'
  await page.getByRole('textbox', { name: 'Staff comment' }).fill(answer)
  await page.getByRole('button', { name: 'Send comment' }).click()
  await expect(page.getByRole('main')).toContainText(answer)
  await expect(page.getByRole('main')).toContainText(manager.email)

  await page.getByRole('navigation').getByRole('link', { name: 'Mail outbox' }).click()
  await expect(page.getByRole('main')).toContainText(reporter)
  const { comments } = await client.getRequest({ orgId, propertyId, number })
  expect(comments).toMatchObject([{ content: answer, author: { email: manager.email } }])
})

test('a list of requests is sorted, chosen by keyboard, changed together and restored', async ({
  page,
  demo,
  manager,
}) => {
  const client = createClient(sendWithKey(demo.baseUrl, demo.apiKey))
  const { orgId, propertyId } = demo
  const batch = `batch ${Date.now()}`
  const add = (title: string, priority: 0 | 1 | 2 | 3) =>
    client.addRequest({ orgId, propertyId, body: { title: `${title} ${batch}`, priority } })
  const door = await add('Door', 1)
  await add('Roof', 3)
  await add('Attic', 2)
  const state = async () => (await client.getRequest({ orgId, propertyId, number: door.number })).state
  const rows = page.getByRole('table').getByRole('row')

  await signIn(page, manager, sitePath(demo, `/requests?q=${encodeURIComponent(batch)}`))
  await expect(rows).toHaveText([/Title/, /Attic/, /Roof/, /Door/])
  await page.getByRole('button', { name: 'Priority' }).click()
  await expect(rows).toHaveText([/Title/, /Roof.*Urgent/, /Attic.*High/, /Door.*Normal/])
  await page.getByRole('button', { name: 'Title' }).click()
  await expect(rows).toHaveText([/Title/, /Attic/, /Door/, /Roof/])
  await expect(page).toHaveURL(/sort=title&order=asc/)

  for (const key of ['j', 'j', 'x', 'k', 'x']) await page.keyboard.press(key)
  await expect(page.getByText('2 requests selected')).toBeVisible()
  await page.getByRole('button', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'State' }).fill('Closed')
  await page.getByRole('option', { name: 'Closed' }).click()
  await dialog.getByRole('button', { name: 'Change 2 requests' }).click()
  await expect(page.getByText('2 requests changed.')).toBeVisible()
  await expect(rows).toHaveText([/Title/, /Attic.*Closed/, /Door.*Closed/, /Roof.*New/])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 requests restored.')).toBeVisible()
  expect(await state()).toBe('new')

  // A view keeps filters and order under a name; Enter opens, and Back returns to the view.
  await page.getByRole('button', { name: 'Save view' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(batch)
  await dialog.getByRole('button', { name: 'Save view' }).click()
  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('link', { name: 'All' }).click()
  await views.getByRole('link', { name: batch }).click()
  await expect(rows).toHaveText([/Title/, /Attic/, /Door/, /Roof/])
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`Attic ${batch}`)
  await page.goBack()
  await expect(rows).toHaveText([/Title/, /Attic/, /Door/, /Roof/])
  await page.getByRole('button', { name: 'Remove view' }).click()
  await dialog.getByRole('button', { name: 'Remove view' }).click()
  await expect(views.getByRole('link', { name: batch })).toHaveCount(0)
})
