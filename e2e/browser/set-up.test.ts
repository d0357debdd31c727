import { test as base } from '@playwright/test'
import { ownFolder } from '../support/folder.ts'
import { type Part, startPart } from '../support/part.ts'
import { lookAt } from './support/look.ts'
import { accountMenu, enterPassword, expect } from './support/test.ts'

interface CloudReady {
  baseUrl: string
  port: number
}

/** A new cloud that is not set up. */
const test = base.extend<{ cloud: Part<CloudReady> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are used.
  cloud: async ({}, use) => {
    await using folder = ownFolder()
    const cloud = await startPart<CloudReady>('cloud', (before) => ({
      PLANTROOM_DATA: folder.path,
      PLANTROOM_PORT: String(before?.port ?? 0),
      PLANTROOM_MQTT_PORT: '0',
    }))
    await use(cloud)
    await cloud.stop()
  },
})

test('a first start is set up once, with the token in its log', async ({ page, cloud }) => {
  const { baseUrl } = cloud.ready
  const address = new RegExp(`${baseUrl}/setup#[\\w-]+`).exec(cloud.output())?.[0]
  await page.goto(address ?? '')
  await lookAt(page, 'set-up-form')

  const person = { email: 'first@example.com', password: 'correct horse battery' }
  await page.getByLabel('Organization').fill('Tallinn Housing')
  await page.getByLabel('First site').fill('Põhja maja')
  await page.getByLabel('Your e-mail address').fill(person.email)
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(person.password)
  await page.getByRole('textbox', { name: 'Repeat the new password' }).fill(person.password)
  await page.getByRole('button', { name: 'Set up and sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Põhja maja', level: 1 })).toBeVisible()

  await page.context().clearCookies()
  await page.goto(address ?? '')
  await expect(page.getByText('Plantroom is already set up')).toBeVisible()
  await page.goto(baseUrl)
  await enterPassword(page, person)
  await expect(accountMenu(page, person)).toBeVisible()
})
