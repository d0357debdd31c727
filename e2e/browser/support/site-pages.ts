import { createClient } from '@plantroom/client/client'
import { sendWithKey } from '@plantroom/client/http'
import type { Page } from '@playwright/test'
import type { DemoJson } from '../../support/demo.ts'
import { settled } from './look.ts'
import { organizationPath, sitePath } from './test.ts'

export interface SitePage {
  readonly name: string
  readonly path: (demo: DemoJson) => string | Promise<string>
  /** A button that unfolds a part of the page. */
  readonly unfolds?: string
  /** Buttons that open a dialog without changing anything, by the name of the dialog. */
  readonly dialogs?: Readonly<Record<string, string | RegExp>>
}

const below = (rest: string) => (demo: DemoJson) => sitePath(demo, rest)
const ofOrganization = (rest: string) => (demo: DemoJson) => organizationPath(demo, rest)

/** Every page that an administrator of the demo can open. */
export const SITE_PAGES: readonly SitePage[] = [
  { name: 'home', path: () => '/?all', dialogs: { 'new-site': /^Add site to / } },
  { name: 'site', path: below(''), dialogs: { 'limit-power': 'Limit power' } },
  { name: 'limits', path: below('/limits') },
  {
    name: 'device',
    path: (demo) => sitePath(demo, `/devices/${demo.deviceId}`),
    dialogs: { override: /^Override/ },
  },
  {
    name: 'device-chart',
    path: (demo) => sitePath(demo, `/devices/${demo.deviceId}?datapoint=${chargePower(demo)}`),
    unfolds: 'Show IDs and commands',
  },
  { name: 'charts', path: (demo) => sitePath(demo, `/charts?show=${demo.deviceId}/${chargePower(demo)}`) },
  { name: 'alerts', path: below('/alerts') },
  { name: 'calendar', path: below('/calendar') },
  { name: 'schedules', path: below('/schedules') },
  { name: 'schedule', path: async (demo) => sitePath(demo, `/schedules/${demo.deviceId}/${await someSystem(demo)}`) },
  { name: 'reports', path: below('/reports') },
  { name: 'requests', path: below('/requests'), dialogs: { 'new-request': 'New request' } },
  { name: 'request', path: async (demo) => sitePath(demo, `/requests/${await someRequest(demo)}`) },
  { name: 'packages', path: below('/settings/packages') },
  { name: 'convert', path: below('/settings/packages/convert') },
  { name: 'site-settings', path: below('/settings/site') },
  {
    name: 'systems',
    path: below('/settings/systems'),
    dialogs: { 'new-controller': 'Add controller', 'load-file': /^Load file onto/ },
  },
  { name: 'commission', path: (demo) => sitePath(demo, `/settings/systems/${demo.deviceId}/commission`) },
  { name: 'record', path: (demo) => sitePath(demo, `/settings/systems/${demo.deviceId}/record`) },
  { name: 'outbox', path: below('/settings/outbox') },
  {
    name: 'people',
    path: below('/settings/people'),
    dialogs: { 'new-code': 'Add code', 'new-person': 'Add person' },
  },
  {
    name: 'keys',
    path: ofOrganization('/keys'),
    dialogs: { 'new-key': 'Create key', 'rotate-key': /^Rotate /, 'revoke-key': /^Revoke / },
  },
  {
    name: 'members',
    path: ofOrganization('/members'),
    dialogs: { invite: 'Invite member', roles: /^Change roles of/ },
  },
  { name: 'alert-settings', path: ofOrganization('/alert-settings'), dialogs: { webhook: 'Add webhook' } },
  { name: 'activity', path: ofOrganization('/activity') },
  { name: 'dispatches', path: ofOrganization('/dispatches') },
  { name: 'openadr', path: ofOrganization('/openadr'), dialogs: { 'new-program': 'Add program' } },
  { name: 'openadr-events', path: ofOrganization('/openadr/events') },
  { name: 'openadr-reports', path: ofOrganization('/openadr/reports') },
  { name: 'account', path: () => '/account' },
  { name: 'not-found', path: () => '/nowhere' },
]

/** Opens a page in `page` and waits until it is loaded. */
export async function openPage(page: Page, { path, unfolds }: SitePage, demo: DemoJson): Promise<void> {
  await page.goto(await path(demo))
  await settled(page)
  if (unfolds !== undefined) await page.getByRole('button', { name: unfolds }).click()
}

/** Opens a dialog of the open page. Returns a function that closes it. */
export async function openDialog(page: Page, button: string | RegExp): Promise<() => Promise<void>> {
  await page.getByRole('button', { name: button }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return async () => {
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
}

function chargePower(demo: DemoJson): string {
  const datapoints = demo.connections.flatMap((connection) => connection.datapoints)
  return datapoints.find(({ name }) => name === 'Charge power')?.id ?? ''
}

async function someSystem({ baseUrl, apiKey, orgId, deviceId }: DemoJson): Promise<string> {
  const client = createClient(sendWithKey(baseUrl, apiKey))
  const { technicalSystems } = await client.listTechnicalSystems({ orgId, deviceId })
  return technicalSystems[0]?.id ?? ''
}

/** Returns the number of a request, and adds one if there is none. */
async function someRequest({ baseUrl, apiKey, orgId, propertyId }: DemoJson): Promise<number> {
  const client = createClient(sendWithKey(baseUrl, apiKey))
  const [known] = (await client.listRequests({ orgId, propertyId, query: { limit: 1 } })).tickets
  const body = { title: 'Light is out', description: 'In the stairwell.' }
  return (known ?? (await client.addRequest({ orgId, propertyId, body }))).number
}
