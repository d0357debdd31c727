import type { DemoJson } from '../../support/demo.ts'
import { sitePath } from './test.ts'

/** Every page that an administrator of the demo can open. */
export const SITE_PAGES: readonly (readonly [name: string, path: (demo: DemoJson, number: number) => string])[] = [
  ['home', () => '/?all'],
  ['site', (demo) => sitePath(demo)],
  ['device', (demo) => sitePath(demo, `/devices/${demo.deviceId}`)],
  ['device-chart', (demo) => sitePath(demo, `/devices/${demo.deviceId}?datapoint=${chargePower(demo)}`)],
  ['charts', (demo) => sitePath(demo, `/charts?show=${demo.deviceId}/${chargePower(demo)}`)],
  ['alerts', (demo) => sitePath(demo, '/alerts')],
  ['calendar', (demo) => sitePath(demo, '/calendar')],
  ['schedules', (demo) => sitePath(demo, '/schedules')],
  ['reports', (demo) => sitePath(demo, '/reports')],
  ['requests', (demo) => sitePath(demo, '/requests')],
  ['request', (demo, number) => sitePath(demo, `/requests/${number}`)],
  ['packages', (demo) => sitePath(demo, '/settings/packages')],
  ['site-settings', (demo) => sitePath(demo, '/settings/site')],
  ['systems', (demo) => sitePath(demo, '/settings/systems')],
  ['outbox', (demo) => sitePath(demo, '/settings/outbox')],
  ['people', (demo) => sitePath(demo, '/settings/people')],
  ['keys', (demo) => sitePath(demo, '/settings/keys')],
  ['members', (demo) => sitePath(demo, '/settings/members')],
  ['alert-settings', (demo) => sitePath(demo, '/settings/alerts')],
  ['activity', (demo) => sitePath(demo, '/settings/activity')],
  ['account', () => '/account'],
  ['not-found', () => '/nowhere'],
]

function chargePower(demo: DemoJson): string {
  const datapoints = demo.connections.flatMap((connection) => connection.datapoints)
  return datapoints.find(({ name }) => name === 'Charge power')?.id ?? ''
}
