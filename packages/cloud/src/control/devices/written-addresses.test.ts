import { randomUUID } from 'node:crypto'
import type { CommissioningCheck, DeviceTarget } from '@plantroom/contract/commissioning'
import { eventually } from '@plantroom/testkit/eventually'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addTenant, asOperator, startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { connectDevice } from '../../testing/device.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>

beforeAll(async () => {
  cloud = await startTestCloud()
})
afterAll(() => cloud?.stop())

const newName = () => `Organization ${randomUUID()}`

type Target = Omit<DeviceTarget, 'at'>
const register = (start: number, reach: Target['reach'] = 'site'): Target => ({
  ...{ space: 'the inverter', start, end: start + 1, reach },
})

const FILE = {
  technicalSystem: 'Room',
  connections: [
    {
      ...{ name: 'Inverter', protocol: 'modbus-tcp', settings: { host: '10.0.0.5' } },
      datapoints: [
        { name: 'State', accessType: 'READ', data: {} },
        { name: 'Power', accessType: 'READ_WRITE', data: {} },
      ],
    },
  ],
}

interface Controller {
  /** What its drivers say that the file writes; `undefined` for a controller that is too old to say it. */
  target: Target | undefined
  commissioned: number
  load(file?: object): Promise<{ status: number; body: Record<string, unknown> }>
  check(): Promise<CommissioningCheck>
}

async function addController(tenant: Tenant, name: string, siteId = tenant.siteId): Promise<Controller> {
  const devices = `/api/orgs/${tenant.orgId}/devices`
  const { body } = await asOperator(cloud, 'POST', devices, { name, siteId })
  const controller: Controller = {
    target: undefined,
    commissioned: 0,
    load: (file = FILE) => asOperator(cloud, 'PUT', `${devices}/${body.id}/commissioning`, file),
    check: async () =>
      (await asOperator(cloud, 'POST', `${devices}/${body.id}/commissioning/check`, FILE)).body as never,
  }
  const device = await connectDevice(
    cloud.ready.mqttUrl,
    { deviceId: String(body.id), deviceSecret: String(body.secret) },
    (command) => {
      if (command === 'commission') controller.commissioned += 1
      const targets = controller.target && [{ at: [0, 1], ...controller.target }]
      const payload = command === 'checkCommissioning' ? { problems: [], held: [], ...(targets && { targets }) } : {}
      return { status: 'ok', payload: JSON.stringify(payload) }
    },
  )
  onTestFinished(() => device.close())
  await eventually(async () => expect((await controller.check()).device.checked).toBe(true))
  return controller
}

async function twoControllers(): Promise<{ tenant: Tenant; first: Controller; second: Controller }> {
  const tenant = await addTenant(cloud, newName())
  const [first, second] = await Promise.all([addController(tenant, 'Hall 1'), addController(tenant, 'Hall 2')])
  first.target = register(10)
  expect((await first.load()).status).toBe(200)
  return { tenant, first, second }
}

test('a register that another controller of the site writes is refused, with both names', async () => {
  const { second } = await twoControllers()
  second.target = register(10)
  const message =
    'Inverter/Power writes the same address as Inverter/Power of controller Hall 1; two controllers must not write the same address'
  expect(await second.load()).toMatchObject({
    status: 499,
    body: { message: `connections[0].datapoints[1].data: ${message}` },
  })
  expect(second.commissioned).toBe(0)
  expect((await second.check()).problems).toEqual([{ path: 'connections[0].datapoints[1].data', message }])
})

test('another register of the same equipment is accepted, and so is the same file again', async () => {
  const { first, second } = await twoControllers()
  second.target = register(11)
  expect((await second.load()).status).toBe(200)
  expect((await first.load()).status).toBe(200)
})

test('a private address is other equipment on another site, a public one is the same', async () => {
  const { tenant } = await twoControllers()
  const site = await asOperator(cloud, 'POST', `/api/orgs/${tenant.orgId}/sites`, { name: 'Other site' })
  const elsewhere = await addController(tenant, 'Elsewhere', String(site.body.id))
  elsewhere.target = register(10)
  expect((await elsewhere.load()).status).toBe(200)
  const [one, other] = [await addController(tenant, 'One'), await addController(tenant, 'Other', String(site.body.id))]
  one.target = register(99, 'everywhere')
  other.target = register(99, 'everywhere')
  expect((await one.load()).status).toBe(200)
  expect((await other.load()).status).toBe(499)
})

test('an address is free again when its system moves or is removed', async () => {
  const { first, second } = await twoControllers()
  second.target = register(10)
  first.target = register(20)
  expect((await first.load()).status).toBe(200)
  expect((await second.load()).status).toBe(200)
  expect((await second.load({ ...FILE, connections: [] })).status).toBe(200)
  first.target = register(10)
  expect((await first.load()).status).toBe(200)
})

test('other organizations do not matter, nor do controllers that are too old to say what they write', async () => {
  const { second } = await twoControllers()
  expect((await second.load()).status).toBe(200)
  const other = await twoControllers()
  expect(other.first.commissioned).toBe(1)
})

test('of two controllers that are commissioned at the same moment, one is refused', async () => {
  const tenant = await addTenant(cloud, newName())
  const both = await Promise.all([addController(tenant, 'Hall 1'), addController(tenant, 'Hall 2')])
  for (const controller of both) controller.target = register(10)
  const statuses = await Promise.all(both.map(async ({ load }) => (await load()).status))
  expect(statuses.toSorted()).toEqual([200, 499])
})
