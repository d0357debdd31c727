import { expect, type Page } from '@playwright/test'

// A press counts, not a click event: a click on a label makes two of those. A new page must not forget the count.
// Playwright stops a press at the window when the page moved under it, and repeats it: the document sees only the other one.
const COUNT = `document.addEventListener('pointerdown', () => {
  sessionStorage.setItem('clicks', 1 + Number(sessionStorage.getItem('clicks')))
}, { capture: true })`

/** Returns a function that runs a task from a page on and fails if it takes more clicks than `most`. Typing is free. */
export async function countClicks(page: Page) {
  await page.addInitScript(COUNT)
  return async (task: string, from: string, most: number, work: () => Promise<void>): Promise<void> => {
    await page.goto(from)
    await page.evaluate("sessionStorage.setItem('clicks', 0)")
    await work()
    const clicks = await page.evaluate<number>("Number(sessionStorage.getItem('clicks'))")
    if (most > 0) expect(clicks, 'clicks that were counted').toBeGreaterThan(0)
    expect(clicks, `clicks to ${task}`).toBeLessThanOrEqual(most)
  }
}
