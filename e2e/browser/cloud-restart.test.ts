import { currentDemo } from './support/demo-folder.ts'
import { setRegister } from './support/equipment.ts'
import { datapointRow, expect, signIn, sitePath, test } from './support/test.ts'

const NAME = 'Discharge reserve'

test('a page that is open while the cloud is killed goes on by itself when it is back', async ({
  page,
  demo,
  manager,
}) => {
  await signIn(page, manager, sitePath(demo, `/devices/${demo.deviceId}`))
  const row = datapointRow(page, NAME)
  await setRegister(demo, NAME, 12.5)
  await expect(row).toContainText('12.5')

  process.kill(demo.pids.cloud, 'SIGKILL')
  await expect(page.getByText('The live connection is lost')).toBeVisible()
  await expect.poll(() => currentDemo().pids.cloud, { timeout: 60_000 }).not.toBe(demo.pids.cloud)
  await setRegister(demo, NAME, 17.5)
  await expect(row).toContainText('17.5', { timeout: 60_000 })
  await expect(page.getByText('The live connection is lost')).toBeHidden()

  // Whoever was signed in still is, and the rest of the console works too.
  await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click()
  await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible()
})
