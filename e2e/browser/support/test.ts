import { test as base, expect, type Page } from '@playwright/test'
import type { DemoJson } from '../../support/demo.ts'
import { currentDemo } from './demo-folder.ts'
import { addPerson, type Person } from './people.ts'

interface Fixtures {
  /** The demo that all tests share. */
  demo: DemoJson
  /** A new member of each role, created on demand. */
  viewer: Person
  manager: Person
  admin: Person
}

/** A test with a fresh browser profile against the demo's console. */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are used.
  demo: async ({}, use) => use(currentDemo()),
  baseURL: async ({ demo }, use) => use(demo.baseUrl),
  viewer: async ({ demo }, use) => use(await addPerson(demo, 'viewer')),
  manager: async ({ demo }, use) => use(await addPerson(demo, 'manager')),
  admin: async ({ demo }, use) => use(await addPerson(demo, 'admin')),
})

export { expect }

/** The tag of tests that take too long for every run of the suite. `plantroom campaign console` runs them. */
export const LONG = '@long'

/** Signs in at the requested address. Resolves when the console is visible. */
export async function signIn(page: Page, person: Person, path = '/'): Promise<void> {
  await page.goto(path)
  await enterPassword(page, person)
  await expect(accountMenu(page, person)).toBeVisible()
}

/** Signs in without the form, for tests of what comes after it. */
export async function startSession(page: Page, demo: DemoJson, { email, password }: Person): Promise<void> {
  const headers = { origin: demo.baseUrl }
  const answer = await page.request.post(`${demo.baseUrl}/api/session`, { data: { email, password }, headers })
  expect(answer.status()).toBe(200)
}

/** Fills in and submits the sign-in form. */
export async function enterPassword(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** The account menu, visible while signed in. */
export const accountMenu = (page: Page, { email }: Person) => page.getByRole('button', { name: `Account: ${email}` })

/** Returns the address of a page of the demo's site. */
export const sitePath = ({ orgId, propertyId }: DemoJson, below = '') => `/o/${orgId}/s/${propertyId}${below}`

/** Returns the address of a page of the demo's organization. */
export const organizationPath = ({ orgId }: DemoJson, below: string) => `/o/${orgId}${below}`

/** Finds the row of a datapoint in the live table. */
export const datapointRow = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${name}(?! limit)`) }) })
