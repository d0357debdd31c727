import { join } from 'node:path'
import { createClient } from '@plantroom/client/client'
import { sendWithKey } from '@plantroom/client/http'
import type { Page } from '@playwright/test'
import { settled } from '../browser/support/look.ts'
import { SITE_PAGES } from '../browser/support/site-pages.ts'
import { expect, sitePath, startSession, test } from '../browser/support/test.ts'
import type { DemoJson } from '../support/demo.ts'

const FOLDER = process.env.PLANTROOM_SCREENSHOTS ?? 'screenshots'
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

/** Dialogs that open without changing anything. */
const DIALOGS: readonly (readonly [name: string, below: (demo: DemoJson) => string, open: (page: Page) => unknown])[] =
  [
    ['dialog-override', ({ deviceId }) => `/devices/${deviceId}`, press(/^Override/)],
    ['dialog-api', ({ deviceId }) => `/devices/${deviceId}`, press('Show ids and commands')],
    ['dialog-new-request', () => '/requests?new', () => {}],
    ['dialog-new-controller', () => '/settings/systems', press('Add controller')],
    ['dialog-load-file', () => '/settings/systems', press(/^Load file onto/)],
    ['dialog-new-key', () => '/settings/keys', press('Create key')],
    ['dialog-rotate-key', () => '/settings/keys', press(/^Rotate /)],
    ['dialog-revoke-key', () => '/settings/keys', press(/^Revoke /)],
    ['dialog-invite', () => '/settings/members', press('Invite member')],
    ['dialog-roles', () => '/settings/members', press(/^Change the roles/)],
    ['dialog-webhook', () => '/settings/alerts', press('Add webhook')],
  ]

for (const [name, path] of SITE_PAGES) {
  test(name, async ({ page, demo }) => {
    const client = createClient(sendWithKey(demo.baseUrl, demo.apiKey))
    const { orgId, propertyId } = demo
    const [known] = (await client.listRequests({ orgId, propertyId, query: { limit: 1 } })).tickets
    await startSession(page, demo, demo.user)
    await page.goto(path(demo, known?.number ?? 1))
    await shoot(page, name)
  })
}

for (const [name, below, open] of DIALOGS) {
  test(name, async ({ page, demo }) => {
    await startSession(page, demo, demo.user)
    await page.goto(sitePath(demo, below(demo)))
    await settled(page)
    await open(page)
    await shoot(page, name)
  })
}

test('sign-in', async ({ page }) => {
  await page.goto('/sign-in')
  await shoot(page, 'sign-in')
})

test('api-reference', async ({ page }) => {
  await page.goto('/docs/')
  await expect(page.getByRole('button', { name: /GET/ }).first()).toBeVisible()
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await page.screenshot({ path: join(FOLDER, `api-reference-${size.width}.png`) })
  }
})

/** Keeps the open page in both widths and both color schemes. */
async function shoot(page: Page, name: string): Promise<void> {
  const isDialog = name.startsWith('dialog-')
  if (!isDialog) await settled(page)
  for (const size of SIZES) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const path = join(FOLDER, `${name}-${size.width}-${colorScheme}.png`)
      await page.screenshot({ path, fullPage: !isDialog, animations: 'disabled' })
    }
  }
}
