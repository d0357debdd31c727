import { expect, type Locator, type Page } from '@playwright/test'

/** More than any page needs. */
const MOST = 150

/** Presses a key until an element has the focus, or matches this selector. Fails if it cannot be reached in this way. */
export async function pressUntil(page: Page, key: string, wanted: Locator, selector = ':focus'): Promise<void> {
  await expect(wanted).toBeVisible()
  const reached = wanted.and(page.locator(selector))
  for (let count = 0; count < MOST; count += 1) {
    if ((await reached.count()) > 0) return
    await page.keyboard.press(key)
  }
  throw new Error(`${MOST} presses of ${key} do not reach ${wanted}`)
}
