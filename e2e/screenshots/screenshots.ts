import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { settled } from '../browser/support/look.ts'
import { openDialog, openPage, SITE_PAGES } from '../browser/support/site-pages.ts'
import { expect, startSession, test } from '../browser/support/test.ts'

const FOLDER = process.env.PLANTROOM_SCREENSHOTS ?? 'screenshots'
const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

for (const each of SITE_PAGES) {
  test(each.name, async ({ page, demo }) => {
    await startSession(page, demo, demo.user)
    await openPage(page, each, demo)
    await shoot(page, each.name)
    for (const [dialog, button] of Object.entries(each.dialogs ?? {})) {
      await page.setViewportSize(WIDE)
      const close = await openDialog(page, button)
      await shoot(page, `dialog-${dialog}`, { fullPage: false })
      await close()
    }
  })
}

test('sign-in', async ({ page }) => {
  await page.goto('/sign-in')
  await settled(page)
  await shoot(page, 'sign-in')
})

test('api-reference', async ({ page }) => {
  await page.goto('/docs/')
  await expect(page.getByRole('button', { name: /GET/ }).first()).toBeVisible()
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size)
    await page.screenshot({ path: join(FOLDER, `api-reference-${size.width}.png`) })
  }
})

/** Keeps what is open in both widths and both color schemes. */
async function shoot(page: Page, name: string, { fullPage } = { fullPage: true }): Promise<void> {
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const path = join(FOLDER, `${name}-${size.width}-${colorScheme}.png`)
      await page.screenshot({ path, fullPage, animations: 'disabled' })
    }
  }
}
