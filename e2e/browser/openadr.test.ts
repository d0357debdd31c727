import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { startVtnDouble, type VtnDouble } from '@plantroom/testkit/vtn-double'
import type { Page } from '@playwright/test'
import type { DemoJson } from '../support/demo.ts'
import { readRegister } from './support/equipment.ts'
import { checkAxe, lookAt } from './support/look.ts'
import { test as base, expect, LONG, organizationPath, signIn } from './support/test.ts'

const HOUR_MS = 3_600_000

interface Fixtures {
  /** A VTN of a utility, with a program. */
  vtn: VtnDouble
  program: string
}

const test = base.extend<Fixtures>({
  vtn: async ({ demo }, use) => {
    const vtn = await startVtnDouble({ version: '3.1' })
    await use(vtn)
    await removePrograms(demo, vtn.baseUrl)
    await vtn.close()
  },
  program: async ({ vtn }, use) => use(vtn.addProgram({ programName: 'Flexibility' }).id),
})

/** Removes what a test added: it must not hold the building while others run. */
async function removePrograms({ baseUrl, adminToken, orgId }: DemoJson, vtnUrl: string): Promise<void> {
  const operator = createClient(sendWithToken(baseUrl, adminToken))
  const { programs } = await operator.listOpenadrPrograms({ orgId })
  const own = programs.filter((program) => program.vtnUrl === vtnUrl)
  await Promise.all(own.map(({ id }) => operator.removeOpenadrProgram({ orgId, programId: id })))
}

/** An event from an hour ago to an hour ahead. */
const anEvent = (programID: string, eventName: string, type: string, value: number) => ({
  programID,
  eventName,
  intervalPeriod: { start: new Date(Date.now() - HOUR_MS).toISOString(), duration: 'PT2H' },
  intervals: [{ id: 0, payloads: [{ type, values: [value] }] }],
})

/** The card of a program. */
const card = (page: Page, name: string) => page.getByRole('article', { name })

/** Adds a program in the dialog. Returns its name. */
async function addProgram(page: Page, vtn: VtnDouble, secret: string): Promise<string> {
  const name = `Grid company ${new URL(vtn.baseUrl).port}`
  await page.getByRole('button', { name: 'Add program' }).click()
  const form = page.getByRole('dialog', { name: 'Add an OpenADR program' })
  await form.getByRole('button', { name: 'Add program' }).click()
  await expect(form.getByLabel('Client ID')).toHaveAccessibleDescription(/Enter the client ID/)
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await form.getByLabel('Address of the VTN').fill('https://169.254.169.254/openadr3')
  await form.getByLabel('Client ID').fill('ven-client')
  await form.getByRole('textbox', { name: 'Client secret' }).fill(secret)
  await form.getByRole('textbox', { name: 'Ask every (seconds)' }).fill('10')
  await form.getByRole('button', { name: 'Add program' }).click()
  // The service must not be a way into the network of its operator.
  await expect(form.getByLabel('Address of the VTN')).toHaveAccessibleDescription(/does not lead to a public address/)
  await checkAxe(page, ['[role=dialog]'])
  await form.getByLabel('Address of the VTN').fill(vtn.baseUrl)
  await form.getByRole('button', { name: 'Add program' }).click()
  await expect(card(page, name)).toBeVisible()
  return name
}

/** Maps a payload to the charge power, and saves it. */
async function mapToChargePower(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: `Edit mapping of ${name}` }).click()
  await page.getByRole('button', { name: 'Add resource' }).click()
  await page.getByRole('textbox', { name: 'Name at the VTN' }).fill('battery')
  await page.getByRole('button', { name: 'Add rule to battery' }).click()
  const rule = page.getByRole('group', { name: 'Rule 1' })
  await choose(page, 'Payload', 'DISPATCH_SETPOINT')
  await rule.getByRole('combobox', { name: 'Datapoint', exact: true }).click()
  await page.getByRole('option', { name: 'Charge power (kW' }).click()
  await expect(rule).toContainText('Takes -50 to 50 kW')
  await page.getByRole('button', { name: 'Save mapping' }).click()
  await expect(page.getByText(`Saved the mapping of ${name}`)).toBeVisible()
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('a program is connected, mapped and followed, until it is removed', { tag: LONG }, async ({
  page,
  demo,
  admin,
  vtn,
  program,
}) => {
  await signIn(page, admin, organizationPath(demo, '/openadr'))
  const name = await addProgram(page, vtn, 'not-the-secret')
  await expect(card(page, name)).toContainText(/Failing since .*401/)
  await expect(card(page, name)).toContainText('No resource is mapped')

  await page.getByRole('button', { name: `Check connection of ${name}` }).click()
  const check = page.getByRole('dialog', { name: `Connection of ${name}` })
  await check.getByRole('button', { name: /^Check/ }).click()
  await expect(check.getByRole('status')).toContainText('The connection does not work yet')
  await expect(check.getByRole('listitem').filter({ hasText: 'Access token' })).toContainText('What to do')
  await checkAxe(page, ['[role=dialog]'])
  await check.getByRole('button', { name: 'Close' }).last().click()

  await page.getByRole('button', { name: `Edit ${name}` }).click()
  const form = page.getByRole('dialog', { name: `Edit ${name}` })
  // It is never shown again.
  await expect(form.getByRole('textbox', { name: 'Client secret' })).toHaveValue('')
  await form.getByRole('textbox', { name: 'Client secret' }).fill('ven-secret')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(card(page, name)).toContainText(/Connected, asked \d+ s ago/)

  await mapToChargePower(page, name)
  await lookAt(page)
  vtn.addEvent(anEvent(program, 'Evening peak', 'DISPATCH_SETPOINT', 17))
  vtn.addEvent(anEvent(program, 'Heat', 'TEMPERATURE', 21))
  await page.goto(organizationPath(demo, '/openadr/events'))
  const peak = page.getByRole('article', { name: 'Evening peak' })
  await expect(peak).toContainText('In force')
  await expect(peak).toContainText('Charge power on Demo controller: Accepted')
  await expect(page.getByRole('article', { name: 'Heat' })).toContainText('The profile does not know the payload')
  await expect.poll(() => readRegister(demo, 'Charge power')).toBe(17)
  await lookAt(page)

  // People at the site have the last word, with a reason.
  await peak.getByRole('button', { name: 'Opt out of Evening peak' }).click()
  const out = page.getByRole('dialog', { name: 'Opt out of Evening peak?' })
  await out.getByRole('button', { name: 'Opt out' }).click()
  await expect(out.getByLabel('Reason')).toHaveAccessibleDescription(/Say why/)
  await out.getByLabel('Reason').fill('A concert tonight')
  await checkAxe(page, ['[role=dialog]'])
  await out.getByRole('button', { name: 'Opt out' }).click()
  await expect(peak).toContainText(/battery is opted out\. Since .*: A concert tonight/)
  await expect.poll(() => readRegister(demo, 'Charge power')).not.toBe(17)
  await lookAt(page, 'dark')
  await peak.getByRole('button', { name: 'Opt back in: battery' }).click()
  await expect.poll(() => readRegister(demo, 'Charge power')).toBe(17)

  // Each placement leads to its dispatch, and the dispatch back to the program.
  await peak.getByRole('link', { name: 'Dispatch of Charge power' }).click()
  await page.getByRole('link', { name }).click()
  await expect(page).toHaveURL(/\/openadr\/events\?programId=/)
  await expect(peak).toBeVisible()

  await page.getByRole('navigation', { name: 'Parts of OpenADR' }).getByRole('link', { name: 'Programs' }).click()
  await page.getByRole('button', { name: `Pause ${name}` }).click()
  const pause = page.getByRole('dialog', { name: `Pause ${name}?` })
  await expect(pause).toContainText('1 setpoint or limit is released')
  await pause.getByRole('button', { name: 'Pause and release' }).click()
  await expect(card(page, name)).toContainText('Paused')
  await expect.poll(() => readRegister(demo, 'Charge power')).not.toBe(17)

  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove and release' }).click()
  await expect(card(page, name)).toHaveCount(0)
})

test('a mapping is one thing, as a form and as a file', async ({ page, demo, admin, vtn }) => {
  const { baseUrl, adminToken, orgId } = demo
  const operator = createClient(sendWithToken(baseUrl, adminToken))
  const { id } = await operator.addOpenadrProgram({
    orgId,
    body: {
      name: 'Paused program',
      vtnUrl: vtn.baseUrl,
      version: '3.1',
      profile: 'alliance-3.1',
      clientId: 'ven-client',
      clientSecret: 'ven-secret',
      venName: 'plantroom',
      active: false,
      mapping: { resources: [] },
    },
  })
  await signIn(page, admin, organizationPath(demo, `/openadr/${id}/mapping`))
  const file = page.getByLabel('Mapping as a file')
  const save = page.getByRole('button', { name: 'Save mapping' })
  await expect(file).toHaveValue(/resources: \[\]/)
  await expect(save).toBeDisabled()

  // What the form says is in the file.
  await page.getByRole('button', { name: 'Add resource' }).click()
  await page.getByRole('textbox', { name: 'Name at the VTN' }).fill('battery')
  await page.getByRole('button', { name: 'Add rule to battery' }).click()
  await expect(file).toHaveValue(/resourceName: battery/)
  await expect(page.getByText(/Correct \d+ fields? first/)).toBeVisible()

  // What the file says is in the form, and mistakes are marked in both.
  await file.fill('resources:\n  - resourceName: roof\n    rules: [{ payload: PRICE, datapointId: x }]\n')
  await expect(page.getByRole('textbox', { name: 'Name at the VTN' })).toHaveValue('roof')
  await expect(file).toHaveAccessibleDescription(/Line 3: .*is shown only/)
  await expect(page.getByRole('combobox', { name: 'Payload' })).toHaveAccessibleDescription(/is shown only/)
  await expect(save).toBeDisabled()

  // A file that cannot be read does not take the form with it.
  await file.fill('resources: [')
  await expect(page.getByText('The form shows the last version that could be read')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name at the VTN' })).toBeDisabled()
  await checkAxe(page)
  await page.getByRole('button', { name: 'Undo changes of the file' }).click()
  await expect(file).toHaveValue(/resourceName: roof/)
  await expect(page.getByRole('textbox', { name: 'Name at the VTN' })).toBeEnabled()
})

test('a manager sees programs, and leaves them to administrators', async ({ page, demo, manager }) => {
  await signIn(page, manager, organizationPath(demo, '/openadr'))
  await expect(page.getByRole('heading', { level: 1, name: 'OpenADR' })).toBeVisible()
  const programs = page.getByRole('list', { name: 'OpenADR programs' })
  await expect(programs.or(page.getByText('No OpenADR programs yet'))).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Add program|Check connection|Edit|Pause|Remove)/ })).toHaveCount(0)
})
