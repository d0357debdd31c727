import { readRegister } from './support/equipment.ts'
import { checkAxe } from './support/look.ts'
import { datapointRow, expect, signIn, sitePath, test } from './support/test.ts'

const NAME = 'Charge power'

test('the equipment follows an override that is placed and released in the console', async ({
  page,
  demo,
  manager,
}) => {
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
  await expect(row).toContainText(`Then back to ${before}`)
  await expect.poll(() => readRegister(demo, NAME)).toBe(value)

  await page.getByRole('button', { name: `Release ${NAME}`, exact: true }).click()
  const question = page.getByRole('dialog', { name: `Release ${NAME} now?` })
  await expect(question).toContainText(`returns to ${before}`)
  await checkAxe(page, ['[role=dialog]'])
  await question.getByRole('button', { name: 'Release now' }).click()
  await expect(question).toBeHidden()
  await expect(row).toContainText('Not held')
  await expect.poll(() => readRegister(demo, NAME)).toBe(before)
})

test('a value outside the commissioned range needs consent', async ({ page, demo, manager }) => {
  await signIn(page, manager, sitePath(demo, `/devices/${demo.deviceId}`))
  await page.getByRole('button', { name: `Override… ${NAME}`, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Override ${NAME}` })
  await dialog.getByLabel('Value').fill('60')
  await expect(dialog).toContainText('outside the commissioned range')
  await checkAxe(page, ['[role=dialog]'])
  await dialog.getByRole('button', { name: 'Override now' }).click()
  await expect(dialog).toContainText('Tick the box above')
  expect(await readRegister(demo, NAME)).not.toBe(60)
})
