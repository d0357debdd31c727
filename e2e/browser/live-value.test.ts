import { setRegister } from './support/equipment.ts'
import { datapointRow, expect, signIn, sitePath, test } from './support/test.ts'

// No schedule and no peak shaving writes it: the time of day must not matter.
const NAME = 'Charge power'

test('a change of the equipment appears without a reload', async ({ page, demo, viewer }) => {
  await signIn(page, viewer, sitePath(demo, `/devices/${demo.deviceId}`))
  const row = datapointRow(page, NAME)
  await page.evaluate('globalThis.loadedOnce = true')
  for (const value of [31.5, 42.3]) {
    await setRegister(demo, NAME, value)
    await expect(row).toContainText(String(value))
  }
  expect(await page.evaluate<boolean>('globalThis.loadedOnce')).toBe(true)
})
