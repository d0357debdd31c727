import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createFactStore } from './fact-store.ts'
import { createHealthReceiver, readHealth } from './health-receiver.ts'
import { openAlertBench, WELL } from './testing/bench.ts'

const read = (value: unknown) => readHealth(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))
const item = { id: 'con_1', name: 'Inverter', seconds: 5, reason: null }

describe('a health message', () => {
  test('is taken as the contract declares it, and nothing else of it', () => {
    expect(read({ ...WELL, connections: [{ ...item, more: 'x' }], more: { large: 'x' } })).toEqual({
      ...WELL,
      connections: [item],
    })
    expect(read({})).toMatchObject({ connections: [], clockOffsetMs: null })
    expect(read({ version: '1.2.3' })).toMatchObject({ version: '1.2.3' })
    expect(read({ version: 'x'.repeat(51) })).not.toHaveProperty('version')
  })

  test.each([
    'null',
    '[]x',
    '"text"',
    { connections: 'x' },
    { connections: [null] },
    { connections: [{ ...item, id: '' }] },
    { connections: [{ ...item, id: 'x'.repeat(256) }] },
    { connections: [{ ...item, name: 'a\0b' }] },
    { connections: [{ ...item, reason: 'x'.repeat(256) }] },
    { connections: [{ ...item, seconds: -1 }] },
    { connections: [{ ...item, seconds: 1e300 }] },
    { connections: [item, item] },
    { notTaken: Array.from({ length: 201 }, (_, index) => ({ ...item, id: String(index) })) },
    { clockOffsetMs: '5' },
    { clockOffsetMs: 1e200 },
    { diskLowSeconds: true },
    { droppedMeasurements: 0.5 },
  ])('is ignored when it is not valid: %j', (value) => {
    expect(read(value)).toBeUndefined()
  })

  test('is stored with many others at once, of known devices only, and once for several processes', async () => {
    const { db, addDevices } = await openAlertBench()
    const [first = '', second = ''] = await addDevices(2)
    const clock = createManualClock()
    const deps = { findDevice: () => ({}), clock, log: createLog('test', 'silent') }
    const receivers = [1, 2].map(() => createHealthReceiver({ ...deps, store: createFactStore(db) }))
    for (const receiver of receivers) {
      receiver.receive(first, Buffer.from(JSON.stringify({ ...WELL, connections: [item] })))
      receiver.receive(second, Buffer.from(JSON.stringify(WELL)))
      receiver.receive('dev_removed', Buffer.from(JSON.stringify(WELL)))
      receiver.receive(second, Buffer.alloc(600_000, ' '))
      receiver.measured(first)
      receiver.measured('dev_removed')
    }
    await Promise.all(receivers.map((receiver) => receiver.close()))
    const rows = await db.selectFrom('device_health').selectAll().orderBy('device_id').execute()
    expect(rows.map(({ device_id, has_trouble }) => [device_id, has_trouble])).toEqual([
      [first, true],
      [second, false],
    ])
    expect((await db.selectFrom('device_measured').selectAll().execute()).map(({ device_id }) => device_id)).toEqual([
      first,
    ])
  })
})
