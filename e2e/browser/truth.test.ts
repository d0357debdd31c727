import { createClient } from '@plantroom/client/client'
import { createCommands } from '@plantroom/client/commands'
import { sendWithKey } from '@plantroom/client/http'
import type { Page } from '@playwright/test'
import type { DemoJson } from '../support/demo.ts'
import { currentDemo } from './support/demo-folder.ts'
import { readRegister } from './support/equipment.ts'
import { failImport } from './support/fail-import.ts'
import { holdForAWhile } from './support/hold.ts'
import { checkAxe } from './support/look.ts'
import { datapointRow, expect, sitePath, startSession, test } from './support/test.ts'

// No schedule and no peak shaving writes it: the time of day must not matter.
const NAME = 'Charge power'

const commandsOf = (demo: DemoJson) => createCommands(createClient(sendWithKey(demo.baseUrl, demo.apiKey)), demo)
const placed: string[] = []

async function override(demo: DemoJson, value: number, of = NAME): Promise<void> {
  const datapointId = demo.connections.flatMap(({ datapoints }) => datapoints).find(({ name }) => name === of)?.id
  placed.push(await holdForAWhile(commandsOf(demo), datapointId ?? '', value))
}

// The next test begins with equipment that nobody holds, also after a failure.
test.afterEach(async ({ demo }) => {
  for (const id of placed.splice(0))
    await commandsOf(demo)
      .cancel(id)
      .catch(() => {})
})

/** What a page may say of a controller that does not answer. */
const KNOWN =
  /If only its connection is down, the controller ends this on time\. If it has no power, the equipment stays at 23\skW: go there\./

const cardOf = (page: Page) =>
  page.getByRole('article').filter({ has: page.getByRole('link', { name: NAME, exact: true }) })

/** Freezes a process while something is looked at. */
async function frozen(pid: number, look: () => Promise<void>): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  try {
    await look()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

test('a card leads to its datapoint, and a release of the site frees it with all of its overrides', async ({
  page,
  demo,
  manager,
}) => {
  const before = await readRegister(demo, NAME)
  await override(demo, 21)
  await override(demo, 22)
  await startSession(page, demo, manager)
  await page.goto(sitePath(demo))
  await expect(cardOf(page)).toContainText(/Held at\s*22\skW/)
  // One line where both agree.
  await expect(cardOf(page)).not.toContainText('Equipment at')

  await page.setViewportSize({ width: 390, height: 844 })
  await cardOf(page).getByRole('link', { name: NAME, exact: true }).click()
  const item = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: `Release ${NAME}`, exact: true }) })
  await expect(item).toBeFocused()
  await expect(item).toBeInViewport()
  const inView: string[] = []
  for (const button of await page.getByRole('button', { name: /^Release/ }).all()) {
    const box = await button.boundingBox()
    if (box && box.y > 0 && box.y < 844) inView.push((await button.getAttribute('aria-label')) ?? '')
  }
  expect(inView[0]).toBe(`Release ${NAME}`)

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(sitePath(demo))
  await page.getByRole('button', { name: 'Release all at this site…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(/Charge power, held at 22\skW: 2 overrides/)
  await checkAxe(page, ['[role=dialog]'])
  await dialog.getByRole('button', { name: /^Release 1 datapoint$/ }).click()
  await expect(dialog).toContainText('1 of 1 datapoint released')
  await expect.poll(() => readRegister(demo, NAME)).toBe(before)
})

/** Counts what a person sees without scrolling. */
const wholeInView = (page: Page) =>
  page.getByRole('article').evaluateAll(
    (cards) =>
      cards.filter((card) => {
        const { top, bottom } = card.getBoundingClientRect()
        return (
          top >= 0 && bottom <= card.ownerDocument.documentElement.clientHeight && card.querySelector('h3') !== null
        )
      }).length,
  )

test('a duty engineer sees the power flow and six held datapoints on a laptop, two on a phone', async ({
  page,
  demo,
  manager,
}) => {
  // Whatever is wrong must not push away what is held.
  for (const name of ['one', 'two', 'three']) await failImport(demo, `glance-${name}-${Date.now()}.fpl`)
  const held = { 'Inverter enabled': 1, 'Flow temperature': 35, 'Heat pump power limit': 6, 'Supply air': 19 }
  for (const [name, value] of Object.entries({ [NAME]: 12, 'Discharge reserve': 25, ...held })) {
    await override(demo, value, name)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await startSession(page, demo, manager)
  const [asked, address] = [[] as string[], /\/recent-values/]
  page.on('request', (request) => void (address.test(request.url()) && asked.push(request.url())))
  await page.goto(sitePath(demo))
  const cards = page.getByRole('article').filter({ has: page.getByRole('button', { name: /^Release / }) })
  await expect(cards).toHaveCount(6)
  const flow = page.getByRole('region', { name: 'Power now' })
  await expect(flow.getByRole('listitem').filter({ hasText: 'Grid' })).toContainText(/Limit 90\skW\s*[\d.]+\skW/)
  await expect(flow.getByRole('listitem').filter({ hasText: 'Storage' })).toContainText(/charging/)
  await expect(cards.filter({ hasText: 'Inverter enabled' })).toContainText(/Held at\s*On/)
  await expect.poll(() => wholeInView(page)).toBeGreaterThanOrEqual(6)
  // One question for all that appear together.
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  expect(asked.length).toBeLessThan(6)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => wholeInView(page)).toBeGreaterThanOrEqual(2)
  await page.getByRole('button', { name: 'Release all at this site…' }).click()
  await page.getByRole('button', { name: /^Release 6 datapoints$/ }).click()
  await expect(page.getByRole('dialog')).toContainText('6 of 6 datapoints released')
})

/** The minute that a page may show, as long as it is not two minutes late. */
const minutes = () => [-60_000, 0, 60_000].map((ms) => new Date(Date.now() + ms).toISOString().slice(11, 16)).join('|')

test('a page shows the times of the service, whatever the clock of the browser says', async ({
  page,
  demo,
  manager,
}) => {
  await override(demo, 24)
  await page.addInitScript(() => {
    const now = Date.now
    const ahead = () => now() + 2 * 3_600_000
    globalThis.Date = class extends Date {
      constructor(...given: [] | [number]) {
        super(...((given.length === 0 ? [ahead()] : given) as [number]))
      }
      static override now = ahead
    } as DateConstructor
  })
  await startSession(page, demo, manager)
  await page.goto(sitePath(demo))
  await expect(page.getByText(/at the site/)).toContainText(new RegExp(`^(${minutes()})`))
  // Not the state before it, which the reload would remember.
  await expect(cardOf(page)).toContainText(/Held at\s*24\skW/)
  await expect(cardOf(page)).toContainText(/\(1[45] min.* left\)/)

  // What this browser knew is there before the service answers, marked as such.
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/orgs/**', async (route) => {
    await answered
    await route.continue()
  })
  await page.reload()
  await expect(page.getByText(new RegExp(`^As of (${minutes()}).*Loading…$`))).toBeVisible()
  await expect(cardOf(page)).toContainText(/Last known state.*24\skW/)
  await expect(cardOf(page)).not.toContainText('left)')
  answer()
  await expect(page.getByText(/^As of /)).toBeHidden()
  await expect(cardOf(page)).toContainText(/\(1[45] min.* left\)/)
  await page.unrouteAll({ behavior: 'ignoreErrors' })

  await page.goto(sitePath(demo, '/reports'))
  await expect(page.getByText(new RegExp(`^As of (${minutes()})`))).toBeVisible()
  await page.goto(sitePath(demo, `/devices/${demo.deviceId}`))
  await expect(datapointRow(page, NAME)).toContainText(/\(1[45] min.* left\)/)
  await page.getByRole('button', { name: `Release ${NAME}`, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Release now' }).click()
  await expect(datapointRow(page, NAME)).toContainText('Not held')
})

test('a page says what is not live when the controller or the service is silent', async ({ page, demo, manager }) => {
  const { deviceId } = demo
  await override(demo, 23)
  await startSession(page, demo, manager)
  const row = datapointRow(page, NAME)
  await page.goto(sitePath(demo, `/devices/${deviceId}`))
  await expect(row).toContainText(/Held at 23\skW/)
  await expect(row).toContainText('left)')

  await frozen(currentDemo().pids.cloud, async () => {
    await expect(page.getByText('Plantroom does not answer')).toBeVisible()
    await expect(row).toContainText('Last known value')
    await expect(row).not.toContainText('left)')
    // A page that has nothing to show yet says why.
    await page.getByRole('navigation').getByRole('link', { name: 'Audit log' }).click()
    await expect(page.getByText('No answer from Plantroom. The page keeps trying.').first()).toBeVisible()
  })
  await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible()
  await expect(page.getByText('No answer from Plantroom')).toHaveCount(0)
  await page.goBack()
  await expect(row).toContainText(/Held at 23\skW/)
  await expect(page.getByText('Plantroom does not answer')).toBeHidden()

  await frozen(currentDemo().pids.edge, async () => {
    await page.reload()
    // Its link to the broker is still up. It counts as offline when a question has had no answer for long enough.
    await expect(page.getByText(/^(No answer yet|Offline)$/).first()).toBeVisible()
    await expect(page.getByText('Online', { exact: true })).toBeHidden()
    await expect(page.getByText(/^Last known state, .* ago/)).toBeVisible()
    await expect(row).toContainText(/Held at 23\skW/)
    await expect(page.getByText('Not held', { exact: true })).toHaveCount(0)
    await expect(row).toContainText(KNOWN)
    await page.goto(sitePath(demo))
    await expect(cardOf(page)).toContainText('Last known state')
    await expect(cardOf(page)).toContainText(KNOWN)
    await cardOf(page)
      .getByRole('button', { name: `Release ${NAME}`, exact: true })
      .click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(KNOWN)
    await expect(dialog).toContainText('Its planned end is')
    await expect(dialog).not.toContainText('early')
    await checkAxe(page, ['[role=dialog]'])
    await dialog.getByRole('button', { name: 'Keep override' }).click()
    await expect(page.getByRole('heading', { name: 'Held when last known' })).toBeVisible()
  })
  await expect(cardOf(page)).not.toContainText('Last known state')
  await cardOf(page)
    .getByRole('button', { name: `Release ${NAME}`, exact: true })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Release now' }).click()
  await expect(cardOf(page)).toBeHidden()
})
