import { execFileSync } from 'node:child_process'
import { partner } from '../support/partner.ts'
import { checkAxe } from './support/look.ts'
import { expect, organizationPath, signIn, test } from './support/test.ts'

/** Runs a command as if it were pasted into a terminal. */
const paste = (line: string) => JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8', timeout: 30_000 }))

const isWritable = ({ accessType }: { accessType: string }) => accessType === 'READ_WRITE'

test('a key created in the console works until it is revoked, and its secret is shown once', async ({
  page,
  demo,
  admin,
}) => {
  const name = `Balancing market ${Date.now()}`
  await signIn(page, admin, organizationPath(demo, '/keys'))
  await page.getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog', { name: 'Create API key' })
  await expect(form).toBeVisible()
  await page.goBack()
  await expect(form).toBeHidden()
  await expect(page).toHaveURL(organizationPath(demo, '/keys'))
  await page.goForward()
  await expect(form).toBeHidden()
  await page.getByRole('button', { name: 'Create key' }).click()
  await form.getByLabel('Name').fill(name)
  await form.getByRole('checkbox', { name: 'Edge devices read & write' }).check()
  await form.getByRole('button', { name: 'Create key' }).click()

  const shown = page.getByRole('dialog', { name: `API key “${name}”` })
  const apiKey = await shown.getByLabel('API key', { exact: true }).inputValue()
  expect(apiKey).toMatch(/^plr_/)
  await checkAxe(page, ['[role=dialog]'])
  const curl = await shown.getByLabel('Command to try it').inputValue()
  await page.keyboard.press('Escape')
  await expect(shown.getByText('Have you stored it?')).toBeVisible()
  await shown.getByRole('button', { name: 'Keep it open' }).click()
  await page.goBack()
  await expect(shown.getByText('Have you stored it?')).toBeVisible()
  await expect(page).toHaveURL(organizationPath(demo, '/keys'))
  await shown.getByRole('button', { name: 'Keep it open' }).click()
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await expect(shown).toBeHidden()
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('Never')
  expect(await page.content()).not.toContain(apiKey)

  const inverter = demo.connections.find((connection) => connection.name === 'Inverter')?.id ?? ''
  const { values } = partner(() => ({ ...demo, apiKey }))
  const { status, body } = await values(inverter)
  expect(status, body.message).toBe(200)
  expect(body.data.connectionId).toBe(inverter)
  expect(paste(curl)).toHaveProperty('reports')

  await page.getByRole('button', { name: `Rotate ${name}` }).click()
  const rotation = page.getByRole('dialog', { name: `Rotate ${name}?` })
  await rotation.getByRole('radio', { name: 'Works for one more hour' }).check()
  await rotation.getByRole('button', { name: 'Rotate key' }).click()
  const rotated = await shown.getByLabel('API key', { exact: true }).inputValue()
  expect(rotated).not.toBe(apiKey)
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await expect(row).toContainText('The previous secret works until')
  await expect(row).toContainText('from 127.0.0.1')
  const owner = partner(() => ({ ...demo, apiKey: rotated }))
  expect((await owner.values(inverter)).status).toBe(200)
  expect((await values(inverter)).status).toBe(200)

  const datapointId = demo.connections.flatMap((each) => each.datapoints).find(isWritable)?.id ?? ''
  const later = Date.now() + 3_600_000
  const placed = await owner.override({ datapointId, value: 1, from: later, to: later + 60_000 })
  expect(placed.status, placed.body.message).toBe(200)
  await page.reload()
  await page.getByRole('button', { name: `Revoke ${name}` }).click()
  const question = page.getByRole('dialog', { name: `Revoke ${name}?` })
  await expect(question).toContainText('1 override of this key is active or queued.')
  await expect(question.getByRole('checkbox')).toBeChecked()
  await question.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByText(`Revoked ${name} and cancelled 1 override`)).toBeVisible()
  await expect(row).toContainText(/Revoked \d/)
  expect((await values(inverter)).status).toBe(401)
  expect(paste(curl)).toMatchObject({ code: 'UNAUTHENTICATED' })
})
