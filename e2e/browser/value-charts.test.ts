import { createClient } from '@plantroom/client/client'
import { createCommands } from '@plantroom/client/commands'
import { sendWithKey } from '@plantroom/client/http'
import type { Page } from '@playwright/test'
import type { DemoJson } from '../support/demo.ts'
import { expect, LONG, sitePath, startSession, test } from './support/test.ts'

const HELD = 'Charge power limit'

function datapointId(demo: DemoJson, name: string): string {
  const datapoints = demo.connections.flatMap((connection) => connection.datapoints)
  return datapoints.find((each) => each.name === name)?.id ?? ''
}

/** The line of a datapoint below the chart. */
const legend = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: `Remove ${name}`, exact: true }) })

const addressOf = (page: Page) => new URL(page.url()).searchParams

test('datapoints are found by words, charted together, and a link shows the same zoom', async ({
  page,
  demo,
  viewer,
}) => {
  test.slow()
  await startSession(page, demo, viewer)
  await page.goto(sitePath(demo, '/charts'))
  // It opens with what people want to see first.
  const remove = page.getByRole('button', { name: /^Remove / })
  await expect(remove).not.toHaveCount(0)
  for (let left = await remove.count(); left > 0; left -= 1) await remove.first().click()
  await expect(page.getByText('Choose a datapoint to chart')).toBeVisible()
  const picker = page.getByRole('combobox', { name: 'Add a datapoint' })
  for (const [words, name] of [
    ['meter power', 'Grid power'],
    ['charge state', 'State of charge'],
  ] as const) {
    await picker.fill(words)
    await page.getByRole('option', { name: new RegExp(`^${name} `) }).click()
    // A fresh demo archives its first values after a minute.
    await expect(legend(page, name)).toContainText('Last:', { timeout: 100_000 })
  }
  const plot = page.getByRole('application')
  await expect(plot.first()).toHaveAccessibleName(/Chart of Grid power/)

  await plot.first().press('+')
  await expect.poll(() => addressOf(page).get('from')).not.toBeNull()
  const zoomed = String(addressOf(page))
  await page.reload()
  await expect(legend(page, 'State of charge')).toBeVisible()
  expect(String(addressOf(page))).toBe(zoomed)

  await page.getByRole('button', { name: 'Reset zoom' }).click()
  await expect.poll(() => addressOf(page).get('from')).toBeNull()
  await page.getByRole('button', { name: 'Table' }).click()
  await expect(page.getByRole('table').getByRole('columnheader').nth(2)).toContainText('State of charge')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true })

  test('a finger scrolls the page up and down, and moves the chart sideways', { tag: LONG }, async ({
    page,
    demo,
    viewer,
  }) => {
    await startSession(page, demo, viewer)
    const shown = encodeURIComponent(`${demo.deviceId}/${datapointId(demo, 'Grid power')}`)
    await page.goto(sitePath(demo, `/charts?show=${shown}`))
    const over = page.locator('.u-over')
    await expect(over).toBeVisible()
    const devtools = await page.context().newCDPSession(page)
    const swipe = async (dx: number, dy: number) => {
      const box = await over.boundingBox()
      if (!box) throw new Error('the chart is not there')
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number) =>
        devtools.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x: x + dx * share, y: y + dy * share }],
        })
      await touch('touchStart', 0)
      for (let step = 1; step <= 10; step += 1) await touch('touchMove', step / 10)
      await touch('touchEnd', 1)
    }

    await swipe(0, -120)
    await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(20)
    expect(addressOf(page).get('from')).toBeNull()
    await swipe(120, 0)
    await expect.poll(() => addressOf(page).get('from')).not.toBeNull()
  })
})

test('one click shows the values before and during an override', { tag: LONG }, async ({ page, demo, viewer }) => {
  const client = createClient(sendWithKey(demo.baseUrl, demo.apiKey))
  const commands = createCommands(client, demo)
  const now = Date.now()
  const window = { from: new Date(now).toISOString(), to: new Date(now + 600_000).toISOString() }
  const { id } = await commands.override({ datapointId: datapointId(demo, HELD), value: 31, ...window })
  try {
    await startSession(page, demo, viewer)
    await page.goto(sitePath(demo, `/devices/${demo.deviceId}`))
    await page
      .getByRole('listitem')
      .filter({ hasText: `${HELD} at 31` })
      .getByRole('link')
      .click()
    await expect(page.getByRole('heading', { name: 'Before and after' })).toBeVisible()
    const means = page.getByRole('table', { name: 'Before and after' })
    await expect(means.getByRole('row', { name: new RegExp(`^${HELD}`) })).toBeVisible()
    await expect(page.getByText(new RegExp(`${HELD}: Demand response at 31`)).first()).toBeVisible()
  } finally {
    await commands.cancel(id)
  }
})

test('a site shows the power of its last 24 hours', async ({ page, demo, viewer }) => {
  await startSession(page, demo, viewer)
  await page.goto(sitePath(demo))
  const day = page.getByRole('region', { name: 'Last 24 hours' })
  await expect(day.getByRole('img', { name: /^Chart of Grid power/ })).toBeVisible()
  await day.getByRole('link', { name: 'Power of the site' }).click()
  await expect(legend(page, 'Grid power')).toBeVisible()
})
