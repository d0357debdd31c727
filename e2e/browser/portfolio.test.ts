import { createClient } from '@plantroom/client/client'
import { createSend, sendWithKey, sendWithToken } from '@plantroom/client/http'
import type { Page } from '@playwright/test'
import type { DemoJson } from '../support/demo.ts'
import { countClicks } from './support/clicks.ts'
import { checkAxe, lookAt } from './support/look.ts'
import { expect, LONG, startSession, test } from './support/test.ts'

const HOUR_MS = 3_600_000

/** An organization of its own with three sites, and a person who manages two of them. The demo keeps its one site. */
async function addEstate(demo: DemoJson) {
  const operator = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const person = { email: `estate-${Date.now()}@example.com`, password: 'several words are easier' }
  const { id: orgId } = await operator.addOrganization({ body: { name: `Northern Estates ${Date.now()}` } })
  const add = async (name: string, controller: string) => {
    const { id: siteId } = await operator.addSite({ orgId, body: { name, maintenanceRequests: true } })
    await operator.addDevice({ orgId, body: { name: controller, siteId } })
    return siteId
  }
  const [mill, depot] = [await add('Old Mill', 'Boiler room'), await add('Depot', 'Roof')]
  await add('Secret Lab', 'Hidden controller')
  const sites = [mill, depot].map((siteId) => ({ siteId, role: 'manager' as const }))
  const { link } = await operator.addMember({ orgId, body: { email: person.email, sites } })
  const invited = createClient(createSend(demo.baseUrl, { origin: demo.baseUrl }))
  const token = new URL(link ?? '').hash.slice(1)
  await invited.acceptInvitation({ body: { token, password: person.password } })
  const request = { orgId, propertyId: depot, body: { title: 'Gate does not close' } }
  const { number } = await operator.addRequest(request)
  return { orgId, mill, depot, person, number }
}

const palette = (page: Page) => page.getByRole('combobox', { name: 'Search or go to' })

test('a person with several sites sees them all, and only theirs, and finds what is on them', async ({
  page,
  demo,
}) => {
  const { orgId, depot, person, number } = await addEstate(demo)
  await startSession(page, demo, person)
  const reads: string[] = []
  page.on('request', (request) => reads.push(new URL(request.url()).pathname))
  await page.goto('/')
  await expect(page).toHaveTitle('Sites – Plantroom')
  await expect(page.getByRole('row', { name: /^Depot 1 of 1 controllers offline Not known/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /^Old Mill/ })).toBeVisible()
  await expect(page.getByText('Secret Lab')).toHaveCount(0)
  // The list is read once, before the frame is drawn, which asks for alerts.
  const overview = `/api/orgs/${orgId}/overview`
  expect(reads.filter((path) => [overview, `/api/orgs/${orgId}/alerts`].includes(path))[0]).toBe(overview)
  expect(reads.filter((path) => path === overview)).toHaveLength(1)
  await lookAt(page)

  // A tile shows the sites behind its number, and the address keeps it.
  await page.getByRole('button', { name: /^Open requests 1$/ }).click()
  await expect(page.getByRole('rowheader')).toHaveText(['Depot'])
  await page.reload()
  await expect(page.getByRole('rowheader')).toHaveText(['Depot'])

  await page.keyboard.press('Control+k')
  await palette(page).fill('hidden')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await palette(page).fill('mill boiler')
  await expect(page.getByRole('option', { name: 'Boiler room Old Mill' })).toBeVisible()
  await palette(page).fill(`#${number}`)
  const found = page.getByRole('option', { name: `#${number} Gate does not close Depot` })
  await expect(found).toBeVisible()
  await checkAxe(page, ['[role=dialog]'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/o/${orgId}/s/${depot}/requests/${number}$`))
  await expect(page).toHaveTitle(/ – Depot – Plantroom$/)
  await expect(palette(page)).toBeHidden()

  // Letters work outside of fields only, Ctrl+K also inside.
  await expect(palette(page)).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await expect(page).toHaveURL(new RegExp(`/o/${orgId}/s/${depot}/requests$`))
  await page.getByLabel('Search', { exact: true }).fill('')
  await page.keyboard.press('?')
  await expect(page.getByLabel('Search', { exact: true })).toHaveValue('?')
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toBeVisible()
  await expect(help.getByRole('row', { name: 'J Next in the list' })).toBeVisible()
  await checkAxe(page, ['[role=dialog]'])
  // Every listed shortcut of two letters does what the list says.
  const listed = await help.getByRole('row').filter({ hasText: 'then' }).allInnerTexts()
  expect(listed.length).toBeGreaterThan(8)
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  for (const line of listed) {
    const [, key = '', name = ''] = /then\s*(\w)\s*Open (.*)/.exec(line) ?? []
    await page.keyboard.press('g')
    await page.keyboard.press(key.toLowerCase())
    await expect(page.locator('nav[aria-label=Main] [aria-current=page]'), line).toContainText(name)
  }
})

test('a new alert is shown once by all tabs together, and counted in their titles', { tag: LONG }, async ({
  page,
  demo,
  admin,
}) => {
  const context = page.context()
  await context.grantPermissions(['notifications'])
  // The browser of the test has no desktop to show notifications on: it counts them.
  await context.addInitScript(`
    globalThis.shown = []
    globalThis.Notification = class extends EventTarget {
      static permission = 'granted'
      static requestPermission = async () => 'granted'
      constructor(title, { body }) { super(); globalThis.shown.push(title + ' / ' + body); globalThis.last = this }
      close() {}
    }`)
  const alert = (id: string) => ({
    ...{ id, kind: 'controller-offline', siteId: demo.propertyId, deviceId: demo.deviceId, deviceName: 'Roof' },
    ...{ subject: { kind: 'device', id: demo.deviceId, name: 'Roof' }, details: {}, closedAt: null },
    ...{ beganAt: '2026-11-16T08:00:00.000Z', openedAt: '2026-11-16T08:00:00.000Z' },
  })
  let alerts = [alert('before')]
  await context.route(/\/alerts\?open=true/, (route) => route.fulfill({ json: { alerts, nextCursor: null } }))
  await startSession(page, demo, admin)
  await page.clock.install()
  const second = await context.newPage()
  await second.clock.install()
  for (const tab of [page, second]) await tab.goto('/account')
  await expect(page).toHaveTitle('(1) Account – Plantroom')
  await page.getByLabel('Notify me in this browser about new alerts').check()
  const shown = async () => (await Promise.all([page, second].map((tab) => tab.evaluate<string[]>('shown')))).flat()
  await expect.poll(shown).toEqual([expect.stringContaining('Notifications are on')])
  await expect(second.getByLabel('Notify me in this browser about new alerts')).toBeChecked()

  alerts = [alert('new'), ...alerts]
  for (const tab of [page, second]) await tab.clock.runFor(25_000)
  for (const tab of [page, second]) await expect(tab).toHaveTitle('(2) Account – Plantroom')
  const notified = async () => (await shown()).filter((text) => text.includes('The controller Roof is offline')).length
  await expect.poll(notified).toBe(1)
  const teller = (await page.evaluate<number>('shown.length')) > 1 ? page : second
  await teller.evaluate("last.dispatchEvent(new Event('click'))")
  await expect(teller).toHaveURL(/\/alerts\?alert=new$/)
})

test('a message about an alert says only how many there are, unless the person wants more', async ({ page }) => {
  await page.goto('/sign-in')
  const started = page.context().waitForEvent('serviceworker')
  await page.evaluate(`navigator.serviceWorker.register('/notify.js').then(() => navigator.serviceWorker.ready)`)
  const program = await started
  // The browser of the test has no desktop to show notifications on: it keeps them.
  await program.evaluate(`self.shown = []
    self.registration.showNotification = async (title, { body, data }) => void self.shown.push([title, body, data])`)
  const alert = { id: 'a1', kind: 'controller-offline', subject: 'Roof', device: 'Roof' }
  const data = JSON.stringify({ count: 2, orgId: 'o', siteId: 's', site: 'Harbour', alert })
  const receive = async (isOpen: boolean) => {
    const sentences = { 'controller-offline': 'The controller {device} is offline' }
    const texts = JSON.stringify({ many: ['1 new alert', '2 new alerts'], sentences, isOpen })
    const response = `new Response(${JSON.stringify(texts)})`
    await page.evaluate(`caches.open('plantroom').then((kept) => kept.put('/notification-texts', ${response}))`)
    await program.evaluate(`self.dispatchEvent(new PushEvent('push', { data: ${JSON.stringify(data)} }))`)
  }
  const shown = () => program.evaluate<unknown[]>('self.shown')
  const link = '/o/o/s/s/alerts?alert=a1'
  await receive(false)
  await expect.poll(shown).toEqual([['Plantroom', '2 new alerts', link]])
  await receive(true)
  await expect.poll(shown).toContainEqual(['Harbour: 2 new alerts', 'The controller Roof is offline', link])
})

test('the console can be installed', async ({ page }) => {
  await page.goto('/sign-in')
  const browser = await page.context().newCDPSession(page)
  expect((await browser.send('Page.getAppManifest')).errors).toEqual([])
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
  // Every profile of a test counts as a private window.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})

test('a manager follows a fleet dispatch and cancels it', async ({ page, demo, manager }) => {
  const { orgId } = demo
  const client = createClient(sendWithKey(demo.baseUrl, demo.apiKey))
  const reason = `auction ${Date.now()}`
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  const datapoint = demo.connections.flatMap(({ datapoints }) => datapoints).find(({ name }) => name === 'Supply air')
  // It begins tomorrow, so that no equipment changes.
  const window = { from: at(20 * HOUR_MS), to: at(21 * HOUR_MS), deadline: at(HOUR_MS) }
  const select = { datapointIds: [datapoint?.id ?? ''] }
  await client.startDispatch({ orgId, body: { idempotencyKey: reason, select, value: 20, reason, ...window } })
  await startSession(page, demo, manager)
  await page.goto(`/o/${orgId}/dispatches`)
  await page.getByRole('rowheader').first().getByRole('link').click()
  await expect(page.getByText(reason)).toBeVisible()
  await expect(page.getByText('1 accepted', { exact: true })).toBeVisible()
  await lookAt(page)
  await page.getByRole('button', { name: 'Cancel dispatch…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop and release' }).click()
  await expect(page.getByText('1 cancelled', { exact: true })).toBeVisible()
  await expect(page.getByText('Release confirmed')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel dispatch…' })).toHaveCount(0)
})

/** An organization with many sites, and its administrator. */
async function addPortfolio(demo: DemoJson, count: number) {
  const operator = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const unique = Date.now()
  const admin = { email: `many-${unique}@example.com`, password: 'several words are easier' }
  const { id: orgId } = await operator.addOrganization({ body: { name: `Southern Estates ${unique}` } })
  await operator.addUser({ orgId, body: admin })
  const siteIds: string[] = []
  for (let number = 1; number <= count; number += 1) {
    siteIds.push((await operator.addSite({ orgId, body: { name: `House ${number}` } })).id)
  }
  return { orgId, admin, siteId: siteIds[0] ?? '' }
}

test('an administrator of 323 sites groups them, and invites a person by group and by site', { tag: LONG }, async ({
  page,
  demo,
}) => {
  const { orgId, admin, siteId } = await addPortfolio(demo, 323)
  await startSession(page, demo, admin)
  const within = await countClicks(page)
  const dialog = page.getByRole('dialog')

  await within('tag the sites that a search shows', '/', 2, async () => {
    await page.getByLabel('Search', { exact: true }).fill('house 31')
    await expect(page.getByText('13 sites', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: /^Tag sites of / }).click()
    await expect(dialog.getByLabel('The 13 sites that are shown now')).toBeChecked()
    await dialog.getByRole('combobox', { name: 'Tags' }).fill('north')
    await page.keyboard.press('Enter')
    await checkAxe(page, ['[role=dialog]'])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
  })
  await within('show one group', '/', 2, async () => {
    await page.getByRole('combobox', { name: 'Tag' }).click()
    await page.getByRole('option', { name: 'north' }).click()
    await expect(page.getByText('13 sites', { exact: true })).toBeVisible()
    await expect(page.getByRole('rowheader').first()).toContainText('north')
  })
  await page.goto(`/o/${orgId}/s/${siteId}/settings/site`)
  await expect(page.getByRole('combobox', { name: 'Tags' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await palette(page).fill('nort')
  await page.getByRole('option', { name: 'north 13 sites' }).click()
  await expect(page).toHaveURL(/\/\?all&tag=north$/)
  await expect(page.getByText('13 sites', { exact: true })).toBeVisible()
  await page.goBack()
  await page.getByRole('combobox', { name: 'Tags' }).fill('schools')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save tags' }).click()
  await expect(page.getByText('Tags saved')).toBeVisible()
  await checkAxe(page)

  const email = `by-group-${Date.now()}@example.com`
  await within('invite a person', `/o/${orgId}/s/${siteId}/settings/members`, 2, async () => {
    await page.getByRole('button', { name: 'Invite member' }).click()
    expect(await dialog.locator('input:not([type=hidden]), select, button').count()).toBeLessThan(15)
    await dialog.getByLabel('E-mail address').fill(email)
    await dialog.getByRole('combobox', { name: 'Manager of all sites tagged' }).fill('nor')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await checkAxe(page, ['[role=dialog]'])
    await dialog.getByRole('combobox', { name: 'Viewer of these sites' }).fill('house 2')
    await page.keyboard.press('ArrowDown')
    await checkAxe(page, ['[role=dialog]', '[role=listbox]'])
    await page.keyboard.type('99999')
    await expect(page.getByRole('option', { name: 'No match' })).toBeVisible()
    await checkAxe(page, ['[role=dialog]', '[role=listbox]'])
    await dialog.getByRole('combobox', { name: 'Viewer of these sites' }).fill('house 217')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await expect(dialog.getByLabel('Link')).toHaveValue(/#/)
  })
  await page.getByRole('button', { name: 'I have copied it' }).click()
  const row = page.getByRole('row').filter({ hasText: email })
  await expect(row).toContainText('Manager of all sites tagged north')
  await expect(row).toContainText('Viewer: House 217')
})
