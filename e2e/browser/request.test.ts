import { createClient } from '@plantroom/client/client'
import { sendWithKey } from '@plantroom/client/http'
import { checkAxe, lookAt } from './support/look.ts'
import { expect, LONG, signIn, sitePath, startSession, test } from './support/test.ts'

test('an answer to a request goes to the outbox, and says that it is not sent without a mail server', async ({
  page,
  demo,
  manager,
}) => {
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
  const notSent = `will not be sent to ${reporter}: no mail server is set up.`
  await expect(page.getByRole('main')).toContainText(notSent)
  const answer = 'We come tomorrow at nine.'
  await page.getByRole('textbox', { name: 'Staff comment' }).fill(answer)
  await page.getByRole('button', { name: 'Add comment' }).click()
  await expect(page.getByRole('main')).toContainText(answer)
  await expect(page.getByRole('main')).toContainText('The operator of the service sets SMTP_URL')
  await expect(page.getByRole('main')).toContainText(manager.email)

  await page.getByRole('navigation').getByRole('link', { name: 'Mail outbox' }).click()
  await expect(page.getByRole('row', { name: reporter })).toContainText('Not sent: no mail server is set up')
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
  await checkAxe(page, ['[role=dialog]'])
  await dialog.getByRole('button', { name: 'Change 2 requests' }).click()
  await expect(page.getByText('2 requests changed.')).toBeVisible()
  await expect(rows).toHaveText([/Title/, /Attic.*Closed/, /Door.*Closed/, /Roof.*New/])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 requests restored.')).toBeVisible()
  expect(await state()).toBe('new')

  // A view keeps filters and order under a name; Enter opens, and Back returns to the view.
  await page.getByRole('button', { name: 'Save view' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(batch)
  await checkAxe(page, ['[role=dialog]'])
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

/** A picture of 2 × 1 pixels. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGM4YWRkZHQCAAg7Alkdj/guAAAAAElFTkSuQmCC',
  'base64',
)

test('a request is made with photos, which open in a viewer, and prints with them', async ({ page, demo, manager }) => {
  await startSession(page, demo, manager)
  await page.goto(sitePath(demo, '/requests?new'))
  const form = page.getByRole('dialog')
  await form.getByLabel('Title').fill('Broken lamp')
  const photo = (name: string) => ({ name, mimeType: 'image/png', buffer: PNG })
  const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  await form
    .locator('input[type=file]')
    .first()
    .setInputFiles([photo('one.png'), photo('one.png'), { name: 'trap.png', mimeType: 'image/png', buffer: script }])
  await expect(form.getByText(/^Uploaded, /)).toHaveCount(3)
  await form.getByRole('button', { name: 'Add request' }).click()

  const first = page.getByRole('button', { name: 'Show one.png' })
  await first.click()
  const viewer = page.getByRole('dialog', { name: 'one.png' })
  await expect(viewer.getByAltText('one.png')).toHaveJSProperty('naturalWidth', 2)
  await checkAxe(page, ['[role=dialog]'])
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog', { name: 'one (2).png' })).toContainText('2 of 2')
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(first).toBeFocused()
  await expect(page.getByRole('main')).toContainText('Not shown here: it is not a photo, or too large.')

  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Staff comment' })).toBeHidden()
  await expect(page.getByAltText('one (2).png')).toBeVisible()
})

test('two people edit a request: the second sees what changed and loses nothing', { tag: LONG }, async ({
  page,
  demo,
  manager,
}) => {
  const client = createClient(sendWithKey(demo.baseUrl, demo.apiKey))
  const { orgId, propertyId } = demo
  const added = await client.addRequest({ orgId, propertyId, body: { title: 'Old title', description: 'Old text' } })
  const { number } = added
  await startSession(page, demo, manager)
  await page.goto(sitePath(demo, `/requests/${number}`))
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Title').fill('My title')
  const theirs = { title: 'Their title', description: 'Their text' }
  await client.changeRequest({ orgId, propertyId, number, body: theirs })
  await form.getByRole('button', { name: 'Save' }).click()

  await expect(form).toContainText('Someone else changed this request while you were editing')
  await expect(form).toContainText('Their title')
  await expect(form.getByLabel('Title')).toHaveValue('My title')
  await expect(form.getByLabel('Description')).toHaveValue('Their text')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`#${number} My title`)
  const changed = `${manager.email} changed the title from “Their title” to “My title”`
  await expect(page.getByRole('main')).toContainText(changed)
  expect(await client.getRequest({ orgId, propertyId, number })).toMatchObject({ ...theirs, title: 'My title' })

  // The other fields are changed in place: a text with Enter, one of a few values with a click.
  await page.getByRole('textbox', { name: 'Language' }).fill('et')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Language saved')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Estonian (et)')
  await page.getByRole('combobox', { name: 'Safety hazard' }).click()
  await page.getByRole('option', { name: 'Yes' }).click()
  await expect(page.getByRole('main')).toContainText('set the safety hazard to yes')
  await page.getByRole('combobox', { name: 'Scope' }).click()
  await page.getByRole('option', { name: 'Whole building' }).click()
  await expect(page.getByRole('main')).toContainText('set the scope to “Whole building”')
  const details = { language: 'et', safetyHazard: true, scope: 'building' }
  expect(await client.getRequest({ orgId, propertyId, number })).toMatchObject(details)
})

test('a printed code leads to a form without an account, whose report is a new request with a photo', async ({
  page,
  browser,
  demo,
  manager,
}) => {
  const place = `Boiler ${Date.now()}`
  await startSession(page, demo, manager)
  await page.goto(sitePath(demo, '/settings/people'))
  await page.getByRole('button', { name: 'Add code' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What is the code on?').fill(place)
  await dialog.getByRole('button', { name: 'Add code' }).click()
  const shown = page.getByRole('dialog', { name: place })
  const qr = shown.getByRole('img', { name: /^QR code that leads to/ })
  await expect(qr).toBeVisible()
  await checkAxe(page, ['[role=dialog]'])
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: 'Units and people' })).toBeHidden()
  await expect(qr).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  const address = ((await qr.getAttribute('alt')) ?? '').split(' ').at(-1) ?? ''

  const context = await browser.newContext({ baseURL: demo.baseUrl, viewport: { width: 390, height: 844 } })
  const phone = await context.newPage()
  await phone.goto(new URL(address).pathname)
  await expect(phone.getByRole('main')).toContainText(`${place}, `)
  await lookAt(phone, 'dark')
  await phone.getByRole('button', { name: 'Send' }).click()
  await expect(phone.getByText('Describe what is wrong.')).toBeVisible()
  await phone.getByLabel('What is wrong?').fill('Water on the floor')
  const file = phone.locator('input[type=file]')
  await file.setInputFiles({ name: 'x.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') })
  await phone.getByRole('button', { name: 'Send' }).click()
  await expect(phone.getByText('This file is not a photo')).toBeVisible()
  await file.setInputFiles('packages/web/public/icon-512.png')
  await phone.getByRole('button', { name: 'Send' }).click()
  await expect(phone.getByRole('status')).toContainText(/Your request has the number \d+/)
  await context.close()

  await page.goto(sitePath(demo, `/requests?q=${encodeURIComponent(place)}`))
  await page.getByRole('link', { name: `${place}: Water on the floor` }).click()
  await expect(page.getByRole('button', { name: 'Show photo.jpg' })).toBeVisible()
})
