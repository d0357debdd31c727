import { PROTOCOL_LABELS } from '@plantroom/contract/protocols'
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
    for (const element of document.querySelectorAll('[' + name + ']:not([aria-hidden=true])')) texts.push(element.getAttribute(name))
  }
  return texts
})()`

function outsideBrackets(text: string): string {
  let before = text
  for (;;) {
    // A link inside of a message splits it into several text nodes, so a bracket may be missing.
    const after = before.replace(/⟦[^⟦⟧]*(⟧|$)|^[^⟦⟧]*⟧/g, ' ')
    if (after === before) return after.replaceAll(/\s+/g, ' ').trim()
    before = after
  }
}

/** Times, time zones, numbers and units are formatted by the platform, not by the catalogues. */
const FORMATTED =
  /\b(?:\w{3} )?\d{1,2} \w{3}\b(?: \d{4})?|\d\d:\d\d(:\d\d)?( \w+(\+\d+)?)?|\b[A-Z]\w+\/[\w/+-]+|\bUTC\b|\b\d[\d,.]*\b ?([kMG]?B)?/g

/** Collects every text in the answers of the service, and the names of protocols. A page may show them unchanged. */
function collectData(page: Page): Set<string> {
  const data = new Set<string>(Object.values(PROTOCOL_LABELS))
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

const PAGES = [
  '',
  '/devices/:device',
  '/calendar',
  '/schedules',
  '/reports',
  '/requests',
  '/requests?new',
  '/settings/packages',
  '/settings/site',
  '/settings/people',
  '/settings/systems',
  '/settings/outbox',
  '/settings/keys',
  '/settings/alerts',
  '/alerts',
  '/settings/members',
  '/settings/activity',
]

test('every text on the main pages is in the catalogues', async ({ page, demo }) => {
  test.slow()
  const data = collectData(page)
  const bypassing = async () =>
    (await page.evaluate<(string | null)[]>(COLLECT))
      .map((text) => outsideBrackets(text ?? ''))
      .filter((text) => !data.has(text) && /\p{L}{2}/u.test(text.replaceAll(FORMATTED, '')))

  await page.goto('/sign-in')
  expect(await bypassing()).toEqual([])
  await page.locator('input[name=email]').fill(demo.user.email)
  await page.locator('input[name=password]').fill(demo.user.password)
  await page.locator('button[type=submit]').click()
  await expect(page.getByRole('navigation')).toBeVisible()

  for (const below of PAGES) {
    await page.goto(sitePath(demo, below.replace(':device', demo.deviceId)))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: '⟦Ló' })).toHaveCount(0)
    // Names may arrive after the texts that mention them.
    await expect.poll(bypassing, { message: below }).toEqual([])
  }
})
