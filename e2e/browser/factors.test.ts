import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { lookAt } from './support/look.ts'
import type { Person } from './support/people.ts'
import { accountMenu, enterPassword, expect, test } from './support/test.ts'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP_MS = 30_000

/** The code of RFC 6238 at a time, computed without the library of the service. */
function codeAt(secret: string, at: number): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / STEP_MS)))
  const hash = createHmac('sha1', key).update(counter).digest()
  const code = hash.readUInt32BE((hash.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(code % 1_000_000).padStart(6, '0')
}

/** Gives the browser a platform authenticator that always recognizes its owner. */
async function addAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  })
}

async function signOut(page: Page, person: Person): Promise<void> {
  await accountMenu(page, person).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
}

/** Signs in with the password and shows the second step. */
async function passFirstStep(page: Page, person: Person): Promise<void> {
  await enterPassword(page, person)
  await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible()
}

test('a person signs in with a passkey, an authenticator app and a recovery code, and removes them again', async ({
  page,
  demo,
  manager,
}) => {
  const account = `http://localhost:${new URL(demo.baseUrl).port}/account`
  await addAuthenticator(page)
  await page.goto(account)
  await enterPassword(page, manager)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const naming = page.getByRole('dialog', { name: 'Add passkey' })
  await naming.getByLabel('Name').fill('Laptop')
  await naming.getByRole('button', { name: 'Add passkey' }).click()
  const shown = page.getByRole('dialog', { name: 'Your recovery codes' })
  const codes = (await shown.locator('pre').textContent())?.split('\n') ?? []
  expect(codes).toHaveLength(10)
  await shown.getByRole('button', { name: 'I have stored them' }).click()
  await expect(page.getByRole('row', { name: /Laptop/ })).toBeVisible()

  await signOut(page, manager)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(accountMenu(page, manager)).toBeVisible()

  await page.getByRole('button', { name: 'Set up authenticator app' }).click()
  const setUp = page.getByRole('dialog', { name: 'Set up authenticator app' })
  const secret = await setUp.getByRole('textbox', { name: 'Secret' }).inputValue()
  await expect(setUp.getByRole('img', { name: 'QR code with the secret' })).toBeVisible()
  await setUp.getByLabel('Code that the app shows').fill(codeAt(secret, Date.now()))
  await setUp.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('An authenticator app is set up.')).toBeVisible()

  await signOut(page, manager)
  await passFirstStep(page, manager)
  await page.getByRole('button', { name: 'Use your authenticator app instead' }).click()
  await lookAt(page)
  // The code of the set-up is used; the next one is accepted a little early.
  await page.getByLabel('Code of your authenticator app').fill(codeAt(secret, Date.now() + STEP_MS))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(accountMenu(page, manager)).toBeVisible()

  await signOut(page, manager)
  await passFirstStep(page, manager)
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await expect(accountMenu(page, manager)).toBeVisible()

  await signOut(page, manager)
  for (const refused of [true, false]) {
    await passFirstStep(page, manager)
    await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
    await page.getByLabel('Recovery code').fill(refused ? '0000-0000-0000-0000' : (codes[3] ?? ''))
    await page.getByRole('button', { name: 'Continue' }).click()
    if (!refused) break
    await expect(page.getByRole('alert')).toContainText('wrong or was used before')
    await page.getByRole('button', { name: 'Back to sign in' }).click()
  }
  await expect(page.getByText('9 codes left')).toBeVisible()

  // As if the person had signed in long ago: the page asks who they are, and then continues.
  let answers = 0
  await page.route('**/api/session/totp', (route) => {
    answers += 1
    if (answers > 1) return route.continue()
    return route.fulfill({ status: 403, json: { code: 'RECENT_SIGN_IN_REQUIRED', message: 'too long ago' } })
  })
  await page.getByRole('button', { name: 'Turn off the authenticator app' }).click()
  await page
    .getByRole('dialog', { name: /^Turn off/ })
    .getByRole('button', { name: 'Turn off' })
    .click()
  const check = page.getByRole('dialog', { name: 'Confirm that it is you' })
  // The password alone must not remove a second factor.
  await check.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await expect(check.getByRole('textbox', { name: 'Your password' })).toBeHidden()
  await check.getByLabel('Recovery code').fill('0000-0000-0000-0000')
  await check.getByRole('button', { name: 'Confirm' }).click()
  await expect(check.getByRole('alert')).toContainText('wrong or was used before')
  await lookAt(page)
  await check.getByLabel('Recovery code').fill(codes[4] ?? '')
  await check.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('button', { name: 'Set up authenticator app' })).toBeVisible()
  expect(answers).toBe(2)

  await page.getByRole('button', { name: 'Remove Laptop' }).click()
  await page.getByRole('dialog', { name: 'Remove Laptop?' }).getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('You have no passkeys.')).toBeVisible()
  await signOut(page, manager)
  await enterPassword(page, manager)
  await expect(accountMenu(page, manager)).toBeVisible()
})
