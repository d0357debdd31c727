import type { Page } from '@playwright/test'
import { expect, sitePath, test } from './support/test.ts'

// In the pseudo-language every text of the catalogues is in brackets, so anything else bypasses the catalogues.
test.use({ locale: 'en-XA' })

/** Returns the visible texts and the labels of a page. Nested brackets are values inside of a message. */
const COLLECT = `(() => {
  const texts = [document.title]
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement
    if (parent && !parent.closest('script, style, noscript, code')) texts.push(walker.currentNode.data)
  }
  for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
    for (const element of document.querySelectorAll('[' + name + ']')) texts.push(element.getAttribute(name))
  }
  return texts
})()`

function outsideBrackets(text: string): string {
  let before = text
  for (;;) {
    const after = before.replace(/⟦[^⟦⟧]*⟧/g, ' ')
    if (after === before) return after.replaceAll(/\s+/g, ' ').trim()
    before = after
  }
}

/** Times, numbers and units are formatted by the platform, not by the catalogues. */
const FORMATTED =
  /\d{1,2} \w{3} \d{4}|\d\d:\d\d(:\d\d)?( \w+(\+\d+)?)?|\b[A-Z][a-z]+\/[A-Z]\w+\b|\bUTC\b|\b\d[\d,.]*\b ?([kMG]?B)?/g

/** Collects every text in the answers of the service, which a page may show unchanged. */
function collectData(page: Page): Set<string> {
  const data = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'string') data.add(value.replaceAll(/\s+/g, ' ').trim())
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  page.on('response', async (response) => {
    if (!/json/.test(response.headers()['content-type'] ?? '')) return
    collect(await response.json().catch(() => undefined))
  })
  return data
}

for (const [name, below] of [
  ['the overview', ''],
  ['the controller', '/devices/:device'],
  ['the audit log', '/reports'],
  ['the requests', '/requests'],
  ['a new request', '/requests?new'],
  ['import and export', '/settings/packages'],
  ['the site settings', '/settings/site'],
  ['units and people', '/settings/people'],
  ['technical systems', '/settings/systems'],
  ['API keys', '/settings/keys'],
  ['members', '/settings/members'],
  ['the mail outbox', '/settings/outbox'],
] as const) {
  test(`${name} shows only texts of the catalogues`, async ({ page, demo }) => {
    const data = collectData(page)
    await page.goto('/sign-in')
    await page.locator('input[name=email]').fill(demo.user.email)
    await page.locator('input[name=password]').fill(demo.user.password)
    await page.locator('button[type=submit]').click()
    await expect(page.getByRole('navigation')).toBeVisible()
    await page.goto(sitePath(demo, below.replace(':device', demo.deviceId)))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: '⟦Ló' })).toHaveCount(0)
    await expect
      .poll(async () => {
        const texts = await page.evaluate<(string | null)[]>(COLLECT)
        return texts
          .map((text) => outsideBrackets(text ?? ''))
          .filter((text) => !data.has(text) && /\p{L}{2}/u.test(text.replaceAll(FORMATTED, '')))
          .filter((text) => ![...data].some((known) => known.length > 2 && text === known))
      })
      .toEqual([])
  })
}
