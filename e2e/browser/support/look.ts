import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Fails on serious accessibility findings, listing the elements concerned. `within` is the whole page by default. */
export async function checkAxe(page: Page, within: readonly string[] = []): Promise<void> {
  // No page has frames. Without the legacy mode, every analysis opens another page for its results.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  for (const selector of within) axe.include(selector)
  const { violations } = await axe.analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(
    serious.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
  ).toEqual([])
}

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 360, height: 740 }
/** A window of 1440 × 900 at 200 %. */
const ZOOMED = { width: 720, height: 450 }

/**
 * Checks the open page: no serious accessibility findings, nothing wider than a phone or than a window at 200 %, readable
 * on paper. The findings are those of one form, light on a wide screen or dark on a phone: pages share their parts, so
 * every other page in the other form finds the same for half of the time. `./plantroom screenshots` shoots pages for
 * people, in each color scheme and width.
 */
export async function lookAt(page: Page, form: 'light' | 'dark' = 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(WIDE)
  await settled(page)
  if (form === 'light') await checkAxe(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(PHONE)
  if (form === 'dark') await checkAxe(page)
  await expectNothingWider(page, PHONE.width)
  await page.setViewportSize(ZOOMED)
  await expectNothingWider(page, ZOOMED.width)
  await expectPrintable(page)
}

export async function expectNothingWider(page: Page, width: number, name = page.url()): Promise<void> {
  // A page that is new to this width arranges its parts a moment later.
  const found = () => page.evaluate<number>('document.documentElement.scrollWidth')
  await expect.poll(found, { message: `the width of ${name}` }).toBeLessThanOrEqual(width)
}

/** On paper a page is black on white and has no navigation, also for people who use dark colors. */
async function expectPrintable(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('navigation')).toBeHidden()
  await expect(page.getByRole('banner')).toBeHidden()
  const [paper, ink] = await page.evaluate<string[]>(
    '[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector("h1")).color]',
  )
  expect([paper, ink]).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)'])
  await page.emulateMedia({ media: null, colorScheme: 'light' })
}

/** Waits until the page and its parts are loaded. A part may load another. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const loading = page.getByRole('status').filter({ hasText: 'Loading' })
  for (const waitMs of [200, 0]) {
    await expect(loading).toHaveCount(0)
    await page.waitForTimeout(waitMs)
  }
}
