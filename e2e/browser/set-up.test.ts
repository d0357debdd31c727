import { test as base, type Page } from '@playwright/test'
import { ownFolder } from '../support/folder.ts'
import { type Part, startPart } from '../support/part.ts'
import { checkAxe, lookAt } from './support/look.ts'
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
  await lookAt(page)

  const person = { email: 'first@example.com', password: 'correct horse battery' }
  await page.getByLabel('Organization').fill('Tallinn Housing')
  await page.getByLabel('First site').fill('Põhja maja')
  await page.getByLabel('Your e-mail address').fill(person.email)
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(person.password)
  await page.getByRole('textbox', { name: 'Repeat the new password' }).fill(person.password)
  await page.getByRole('button', { name: 'Set up and sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Põhja maja', level: 1 })).toBeVisible()

  await startFirstController(page, cloud)

  await page.context().clearCookies()
  await page.goto(address ?? '')
  await expect(page.getByText('Plantroom is already set up')).toBeVisible()
  await page.goto(baseUrl)
  await enterPassword(page, person)
  await expect(accountMenu(page, person)).toBeVisible()
})

/** Adds a controller from the list of first steps, and starts it as an installer would. */
async function startFirstController(page: Page, cloud: Part<CloudReady>): Promise<void> {
  const list = page.getByRole('region', { name: 'Getting started' })
  await expect(list).toContainText('1 of 5 steps done')
  await list.getByRole('button', { name: 'Hide this list' }).click()
  await expect(list).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await list.getByRole('link', { name: 'Add a controller' }).click()
  await expect(page.getByText('Add one. You get the command that starts it in the building.')).toBeVisible()
  await page.getByRole('button', { name: 'Add controller' }).click()
  const form = page.getByRole('dialog', { name: 'Add controller' })
  await form.getByLabel('Name').fill('Boiler room')
  await form.getByRole('button', { name: 'Add controller' }).click()

  const secret = page.getByRole('dialog', { name: 'Start the controller Boiler room' })
  await checkAxe(page)
  const command = (await secret.locator('pre').textContent()) ?? ''
  const settings = [...command.matchAll(/(\w+)='([^']*)'/g)].map(([, name, value]) => [name, value])
  expect(command).toMatch(/ plantroom edge$/)
  await page.keyboard.press('Escape')
  await secret.getByRole('button', { name: 'Keep it open' }).click()
  await secret.getByRole('button', { name: 'I have copied them' }).click()

  await using folder = ownFolder()
  const edge = await startPart<object>('edge', () => ({ ...Object.fromEntries(settings), PLANTROOM_DATA: folder.path }))
  await expect(page.getByRole('region', { name: 'Boiler room' })).toContainText('Online')
  await edge.stop()
  expect(settings).toContainEqual(['MQTT_URL', expect.stringMatching(/^mqtt:\/\/127\.0\.0\.1:\d+$/)])
  await page.goto(cloud.ready.baseUrl)
  await expect(list).toContainText('2 of 5 steps done')
}
