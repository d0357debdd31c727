import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, onTestFinished, test } from 'vitest'
import { createOrganizationStore } from '../../organization/organizations/organization-store.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { createCommissionedStore } from './commissioned-store.ts'
import { createMeasurementCheck } from './measurement-check.ts'
import { createMeasurementStore } from './measurement-store.ts'

const log = createLog('test', 'silent')
const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 5, 15)

async function start() {
  const db = openDatabase({ connectionString: await createTestDatabase() }, log)
  onTestFinished(() => db.destroy())
  const organizations = createOrganizationStore(db)
  await organizations.addOrganization('org', 'Org')
  await organizations.addSite('site', 'org', { name: 'Site' })
  const device = { id: 'dev', organization_id: 'org', site_id: 'site', name: 'Device', secret_hash: Buffer.alloc(32) }
  await db.insertInto('device').values(device).execute()
  const commission = async (...ids: string[]) => {
    const document = JSON.stringify({ connections: [{ datapoints: ids.map((id) => ({ id })) }] })
    await db.deleteFrom('technical_system').execute()
    await db.insertInto('technical_system').values({ id: 'ts', device_id: 'dev', name: 'T', document }).execute()
  }
  const clock = createManualClock(NOW)
  const store = createCommissionedStore(db)
  const check = createMeasurementCheck({ store, findDevice: () => ({ organizationId: 'org' }), clock, log })
  const measured = (datapointId: string, at = NOW) => ({ datapointId, at, value: 1 })
  const batch = (...measurements: ReturnType<typeof measured>[]) => [
    { deviceId: 'dev', items: { measurements, gaps: [] } },
  ]
  const kept = async (...measurements: ReturnType<typeof measured>[]) =>
    (await check.check(batch(...measurements)))[0]?.items.measurements
  return { db, clock, check, commission, measured, batch, kept }
}

test('values of made-up datapoints are dropped, but not before the controller has repeated them', async () => {
  const { clock, check, commission, measured, kept } = await start()
  await commission('dp_1')
  const [real, made] = [measured('dp_1'), measured('dp_made_up')]
  await expect(kept(real, made)).rejects.toThrow('not commissioned')
  expect(check.refused['unknown-datapoint']).toBe(0)
  await clock.advance(10_000)
  expect(await kept(real, made)).toEqual([real])
  expect(await kept(made, made)).toEqual([])
  expect(check.refused).toEqual({ 'unknown-datapoint': 3, 'too-old': 0 })
})

test('values of a datapoint that is commissioned meanwhile are kept', async () => {
  const { clock, check, commission, measured, kept } = await start()
  await commission('dp_1')
  expect(await kept(measured('dp_1'))).toHaveLength(1)
  await expect(kept(measured('dp_2'))).rejects.toThrow()
  await commission('dp_1', 'dp_2')
  await clock.advance(10_000)
  expect(await kept(measured('dp_2'))).toHaveLength(1)
  expect(check.refused['unknown-datapoint']).toBe(0)
})

test('the backlog of a datapoint that was removed is kept', async () => {
  const { db, commission, measured, batch, kept } = await start()
  await createMeasurementStore(db).addAll(batch(measured('dp_former', NOW - DAY_MS)))
  await commission('dp_1')
  expect(await kept(measured('dp_former'))).toHaveLength(1)
})

test('values from before the retention of the organization are dropped', async () => {
  const { db, clock, check, commission, measured, kept } = await start()
  await commission('dp_1')
  const days = (count: number) => measured('dp_1', NOW - count * DAY_MS)
  expect(await kept(days(900), measured('dp_1', Date.UTC(2001, 0, 1)))).toEqual([days(900)])
  await db.updateTable('organization').set({ measurement_days: 30 }).execute()
  await clock.advance(60_000)
  expect(await kept(days(29), days(33))).toEqual([days(29)])
  expect(check.refused).toEqual({ 'unknown-datapoint': 0, 'too-old': 2 })
})
