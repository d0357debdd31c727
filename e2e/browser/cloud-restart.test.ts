import { currentDemo } from './support/demo-folder.ts'
import { setRegister } from './support/equipment.ts'
import { datapointRow, expect, signIn, sitePath, test } from './support/test.ts'

// No schedule and no peak shaving writes it: the time of day must not matter.
const NAME = 'Charge power'

test('an open page recovers automatically after the cloud is killed', async ({ page, demo, manager }) => {
  await signIn(page, manager, sitePath(demo, `/devices/${demo.deviceId}`))
  const row = datapointRow(page, NAME)
  await setRegister(demo, NAME, 12.5)
  await expect(row).toContainText('12.5')

  process.kill(demo.pids.cloud, 'SIGKILL')
  await expect(page.getByText('Plantroom does not answer')).toBeVisible()
  await expect.poll(() => currentDemo().pids.cloud, { timeout: 60_000 }).not.toBe(demo.pids.cloud)
  await setRegister(demo, NAME, 17.5)
  await expect(row).toContainText('17.5', { timeout: 60_000 })
  await expect(page.getByText('Plantroom does not answer')).toBeHidden()

  // The session survives, and the rest of the console works too.
  await page.getByRole('navigation').getByRole('link', { name: 'Audit log' }).click()
  await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible()
})
