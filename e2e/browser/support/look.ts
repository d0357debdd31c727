import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { PAGES } from './results.ts'

/** Fails on serious accessibility findings, listing the elements concerned. `rules` are all rules by default. */
async function checkAxe(page: Page, rules: string[] = []): Promise<void> {
  // No page has frames. Without the legacy mode, every analysis opens another page for its results.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (rules.length > 0 ? axe.withRules(rules) : axe).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(
    serious.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
  ).toEqual([])
}

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 360, height: 740 }

/**
 * Checks the open page in both color schemes and both widths: no serious accessibility findings, nothing wider than a
 * phone. Keeps screenshots for people.
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(WIDE)
  await settled(page)
  await checkAxe(page)
  await keep(page, `${name}-1440`)
  await page.emulateMedia({ colorScheme: 'dark' })
  // Only the colors differ.
  await checkAxe(page, ['color-contrast'])
  await keep(page, `${name}-1440-dark`)
  await page.setViewportSize(PHONE)
  await checkAxe(page)
  await keep(page, `${name}-360-dark`)
  await page.emulateMedia({ colorScheme: 'light' })
  await keep(page, `${name}-360`)
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width)
}

/** Waits until the page is loaded. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
}

async function keep(page: Page, name: string): Promise<void> {
  // Fixed elements would be in the middle of a scrolled page.
  await page.evaluate('scrollTo(0, 0)')
  await page.screenshot({ path: join(PAGES, `${name}.png`), fullPage: true, animations: 'disabled' })
}
