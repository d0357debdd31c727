import { readRegister } from './support/equipment.ts'
import { datapointRow, expect, signIn, sitePath, test } from './support/test.ts'

const NAME = 'Charge power'

test('an override is placed and released on the page, and the equipment follows', async ({ page, demo, manager }) => {
  const before = await readRegister(demo, NAME)
  const value = before === 20 ? 21 : 20
  await signIn(page, manager, sitePath(demo, `/devices/${demo.deviceId}`))
  const row = datapointRow(page, NAME)
  await expect(row).toContainText('Not held')

  await page.getByRole('button', { name: `Override… ${NAME}`, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Override ${NAME}` })
  await dialog.getByLabel('Value').fill(String(value))
  await expect(dialog).toContainText(`${NAME} is held at ${value}`)
  await dialog.getByRole('button', { name: 'Override now' }).click()
  await expect(dialog).toBeHidden()

  await expect(row).toContainText('Demand response')
  await expect(row).toContainText(`placed by ${manager.email}`)
  await expect(row).toContainText(`then back to ${before}`)
  await expect.poll(() => readRegister(demo, NAME)).toBe(value)

  await page.getByRole('button', { name: `Release ${NAME}`, exact: true }).click()
  const question = page.getByRole('dialog', { name: `Release ${NAME} now?` })
  await expect(question).toContainText(`goes back to ${before}`)
  await question.getByRole('button', { name: 'Release now' }).click()
  await expect(question).toBeHidden()
  await expect(row).toContainText('Not held')
  await expect.poll(() => readRegister(demo, NAME)).toBe(before)
})

test('a value outside what was commissioned is written only when that is agreed to', async ({
  page,
  demo,
  manager,
}) => {
  await signIn(page, manager, sitePath(demo, `/devices/${demo.deviceId}`))
  await page.getByRole('button', { name: `Override… ${NAME}`, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Override ${NAME}` })
  await dialog.getByLabel('Value').fill('60')
  await expect(dialog).toContainText('Outside what was commissioned')
  await dialog.getByRole('button', { name: 'Override now' }).click()
  await expect(dialog).toContainText('Tick the box above')
  expect(await readRegister(demo, NAME)).not.toBe(60)
})
