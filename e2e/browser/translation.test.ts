import { LOCALES } from '@plantroom/contract/languages'
import { PROTOCOL_LABELS } from '@plantroom/contract/protocols'
import type { Page } from '@playwright/test'
import { expectNothingWider } from './support/look.ts'
import { expect, sitePath, startSession, test } from './support/test.ts'

/** Returns the visible texts and the labels of a page. Nested brackets are values inside of a message. */
const COLLECT = `(() => {
  const texts = [document.title]
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement
    if (parent && !parent.closest('script, style, noscript, code, #frame')) texts.push(walker.currentNode.data)
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
    if (after === before) return after.replaceAll(/[^\S\u00A0]+/g, ' ').trim()
    before = after
  }
}

/** Times, time zones, numbers and units (after a no-break space) are no texts of the catalogues. */
const FORMATTED =
  /[\d,.]+\u00A0\S+|\b(?:\w{3} )?\d{1,2} \w{3}\b(?: \d{4})?|\d\d:\d\d(:\d\d)?( \w+(\+\d+)?)?|\b[A-Z]\w+\/[\w/+-]+|\bUTC\b|\b\d[\d,.]*\b ?([kMG]?B)?/g

/** Collects every text in the answers of the service, and names of protocols and locales. A page may show them unchanged. */
function collectData(page: Page): Set<string> {
  const locales = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })
  const data = new Set<string>([...Object.values(PROTOCOL_LABELS), ...LOCALES.map((each) => locales.of(each) ?? each)])
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
  '/charts?show=:device/:datapoint',
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

test.describe('in the pseudo-language', () => {
  // Every text of the catalogues is in brackets there, so anything else bypasses the catalogues.
  test.use({ locale: 'en-XA' })

  test('every text on the main pages is in the catalogues', async ({ page, demo }) => {
    test.slow()
    const data = collectData(page)
    const bypassing = async () =>
      (await page.evaluate<(string | null)[]>(COLLECT))
        .map((text) => outsideBrackets(text ?? ''))
        // Dots separate names from texts.
        .flatMap((text) => (data.has(text) ? [] : text.split(' ·').map((part) => part.trim())))
        .filter((text) => !data.has(text) && /\p{L}{2}/u.test(text.replaceAll(FORMATTED, '')))

    await page.goto('/sign-in')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(bypassing, { message: '/sign-in' }).toEqual([])
    await page.locator('input[name=email]').fill(demo.user.email)
    await page.locator('input[name=password]').fill(demo.user.password)
    await page.locator('button[type=submit]').click()
    await expect(page.getByRole('navigation')).toBeVisible()

    const datapoint = demo.connections.flatMap(({ datapoints }) => datapoints)[1]?.id ?? ''
    // A campaign looks at all of them.
    const seen = PAGES.filter((_, index) => process.env.PLANTROOM_TEST_RUNS !== undefined || index % 3 === 0)
    for (const below of seen) {
      await page.goto(sitePath(demo, below.replace(':device', demo.deviceId).replace(':datapoint', datapoint)))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('status').filter({ hasText: '⟦Ló' })).toHaveCount(0)
      // Names may arrive after the texts that mention them.
      await expect.poll(bypassing, { message: below }).toEqual([])
      // These texts are longer than those of any language, and a small window with the navigation is the narrowest.
      await page.setViewportSize({ width: 1024, height: 900 })
      await expectNothingWider(page, 1024, below)
    }
    await page.goto('/account')
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await expect.poll(bypassing, { message: '/account' }).toEqual([])
  })
})

test.describe('in a German browser', () => {
  test.use({ locale: 'de-DE' })

  test('pages are in German, with German times and numbers', async ({ page, demo, manager }) => {
    await startSession(page, demo, manager)
    await page.goto(sitePath(demo, `/devices/${demo.deviceId}`))
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    await expect(page.getByRole('heading', { name: 'Datenpunkte', level: 2 })).toBeVisible()
    await page.getByRole('button', { name: 'Flow temperature übersteuern…', exact: true }).click()
    const dialog = page.getByRole('dialog')
    for (const typed of ['21,5', '21.5']) {
      await dialog.getByLabel('Wert').fill(typed)
      await expect(dialog.getByLabel('Wert')).toHaveValue('21,5')
      await expect(dialog.getByText(/auf 21,5\s°C gehalten/)).toBeVisible()
    }
  })

  test('a choice before signing in replaces the language of the browser, and that of the account replaces both', async ({
    page,
    demo,
    manager,
    browser,
  }) => {
    const language = (of: Page) => of.locator('html')
    await page.goto('/sign-in')
    await expect(page.getByRole('heading', { name: 'Anmelden' })).toBeVisible()
    await page.getByLabel('Sprache').selectOption('Eesti')
    await expect(page.getByRole('heading', { name: 'Logi sisse' })).toBeVisible()
    await expect(language(page)).toHaveAttribute('lang', 'et')
    await page.getByLabel('E-posti aadress').fill(manager.email)
    await page.getByRole('textbox', { name: 'Parool' }).fill(manager.password)
    await page.getByRole('button', { name: 'Logi sisse', exact: true }).click()
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Hooldustaotlused' })).toBeVisible()

    await page.goto('/account')
    await page.getByRole('combobox', { name: 'Keel' }).click()
    await page.getByRole('option', { name: 'English' }).click()
    await page.getByRole('combobox', { name: 'Ajad ja arvud' }).fill('Šveits')
    await page.getByRole('option', { name: 'saksa (Šveits)' }).click()
    await page.getByRole('button', { name: 'Salvesta' }).click()
    await expect(page.getByRole('heading', { name: 'Language and formats' })).toBeVisible()
    await expect(language(page)).toHaveAttribute('lang', 'en')

    // In another browser, from the first page on.
    const elsewhere = await browser.newContext({ locale: 'de-DE', baseURL: demo.baseUrl })
    const other = await elsewhere.newPage()
    await startSession(other, demo, manager)
    await other.goto('/account')
    await expect(other.getByRole('heading', { name: 'Language and formats' })).toBeVisible()
    await expect(language(other)).toHaveAttribute('lang', 'en')
    await expect(
      other
        .getByRole('table', { name: 'Your sessions' })
        .getByText(/\d\d\.\d\d\.\d{4}, \d\d:\d\d/)
        .first(),
    ).toBeVisible()
    await elsewhere.close()
  })
})
