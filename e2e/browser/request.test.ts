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
