import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createFactStore } from './fact-store.ts'
import { createHealthReceiver, hasTrouble, readHealth } from './health-receiver.ts'
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
    { diskLowSeconds: -1 },
    { clockWrongSeconds: '5' },
    { droppedSeconds: 'x' },
    { droppedMeasurements: 0.5 },
    { droppedMeasurements: -1 },
    { freeBytes: -1 },
    { freeBytes: '1' },
    { notTaken: 'x' },
    { notRestored: 'x' },
    { journalTrouble: 5, journalTroubleSeconds: 1 },
    { journalTrouble: 'EIO', journalTroubleSeconds: 'x' },
  ])('is ignored when it is not valid: %j', (value) => {
    expect(read(value)).toBeUndefined()
  })

  test('may have every value at its bound', () => {
    const most = { ...item, id: 'x'.repeat(255), reason: 'x'.repeat(255), seconds: 10 * 366 * 86_400 }
    const valid = {
      ...WELL,
      connections: [most],
      notTaken: Array.from({ length: 200 }, (_, index) => ({ ...item, id: String(index) })),
      ...{ clockOffsetMs: -1e14, clockWrongSeconds: 10 * 366 * 86_400, freeBytes: 0, diskLowSeconds: 0 },
      ...{ droppedMeasurements: Number.MAX_SAFE_INTEGER, droppedSeconds: 0 },
      ...{ journalTrouble: '', journalTroubleSeconds: 0 },
      version: 'x'.repeat(50),
    }
    expect(read(valid)).toEqual(valid)
    expect(read({ ...WELL, connections: [{ ...most, seconds: most.seconds + 1 }] })).toBeUndefined()
  })

  test.each([{ journalTrouble: 'EIO' }, { journalTroubleSeconds: 5 }, { journalTrouble: null }])(
    'says nothing of the journal with %j alone',
    (given) => {
      expect(read({ ...WELL, ...given })).toEqual(WELL)
    },
  )

  test.each([
    { connections: [item] },
    { notTaken: [item] },
    { notRestored: [item] },
    { clockOffsetMs: 5_001 },
    { clockOffsetMs: -5_001 },
    { diskLowSeconds: 0 },
    { droppedSeconds: 0 },
    { journalTrouble: 'EIO', journalTroubleSeconds: 0 },
  ])('has a trouble to look at with %j', (given) => {
    expect(hasTrouble({ ...WELL, ...given })).toBe(true)
  })

  test('has no trouble to look at when all is well, or the clock is unknown', () => {
    expect([WELL, { ...WELL, clockOffsetMs: 5_000 }, { ...WELL, clockOffsetMs: null }].map(hasTrouble)).toEqual([
      false,
      false,
      false,
    ])
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

describe('a receiver', () => {
  /** With a store that remembers what it got. */
  function open(saveHealth?: () => Promise<void>) {
    const clock = createManualClock()
    const lines: string[] = []
    const log = createLog('test', 'debug', { write: (line) => void lines.push(line) })
    const saved: unknown[] = []
    const store = {
      saveHealth: saveHealth ?? (async (all: unknown) => void saved.push(all)),
      saveMeasured: async (all: ReadonlyMap<string, number>) => void saved.push([...all]),
    }
    const receiver = createHealthReceiver({ store, findDevice: (id) => (id === 'gone' ? undefined : {}), clock, log })
    const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    return { clock, receiver, saved, logged }
  }
  const message = (given: object = {}) => Buffer.from(JSON.stringify({ ...WELL, ...given }))

  test('stores the last health of each device once a second', async () => {
    const { clock, receiver, saved } = open()
    receiver.receive('dev_1', message({ connections: [item] }))
    receiver.receive('dev_1', message())
    receiver.receive('dev_2', message({ notTaken: [item] }))
    receiver.receive('gone', message())
    const at = clock.now()
    await clock.advance(999)
    expect(saved).toEqual([])
    await clock.advance(1)
    const second = { deviceId: 'dev_2', at, document: { ...WELL, notTaken: [item] }, hasTrouble: true }
    expect(saved).toEqual([[{ deviceId: 'dev_1', at, document: WELL, hasTrouble: false }, second]])
    await clock.advance(5_000)
    expect(saved).toHaveLength(1)
  })

  test('stores every two minutes who sent measurements', async () => {
    const { clock, receiver, saved } = open()
    receiver.measured('dev_1')
    const at = clock.now()
    await clock.advance(119_999)
    expect(saved).toEqual([])
    await clock.advance(1)
    expect(saved).toEqual([[['dev_1', at]]])
    await clock.advance(240_000)
    expect(saved).toHaveLength(1)
  })

  test('stores what is left when it is closed, and then nothing', async () => {
    const { clock, receiver, saved } = open()
    receiver.receive('dev_1', message())
    receiver.measured('dev_1')
    await receiver.close()
    expect(saved).toHaveLength(2)
    expect(clock.waiting()).toEqual([])
    await receiver.close()
    expect(saved).toHaveLength(2)
  })

  test('ignores a message that is too large or not one, and says so of the latter', async () => {
    const { receiver, saved, logged } = open()
    const padded = (bytes: number) => Buffer.concat([message(), Buffer.alloc(bytes, ' ')]).subarray(0, bytes)
    receiver.receive('dev_1', padded(512 * 1024 + 1))
    receiver.receive('dev_2', padded(512 * 1024))
    receiver.receive('dev_3', Buffer.from('x'))
    await receiver.close()
    expect(saved).toMatchObject([[{ deviceId: 'dev_2' }]])
    expect(logged()).toMatchObject([{ device: 'dev_3', msg: 'ignored a health message that is not one' }])
  })

  test('ignores messages while more than 16 MB wait', async () => {
    const { clock, receiver, saved } = open()
    const large = Buffer.concat([message(), Buffer.alloc(512 * 1024, ' ')]).subarray(0, 512 * 1024)
    for (let count = 1; count <= 32; count += 1) receiver.receive(`dev_${count}`, large)
    receiver.receive('dev_33', message())
    receiver.receive('dev_34', message())
    await clock.advance(1_000)
    receiver.receive('dev_35', large)
    await clock.advance(1_000)
    expect(saved.map((all) => (all as unknown[]).length)).toEqual([33, 1])
  })

  test('goes on when something could not be stored', async () => {
    const { receiver, saved, logged } = open(() => Promise.reject(new Error('the connection was lost')))
    receiver.receive('dev_1', message())
    receiver.measured('dev_1')
    await receiver.close()
    expect(saved).toHaveLength(1)
    const warning = { error: 'the connection was lost', msg: 'could not store the health of devices' }
    expect(logged()).toMatchObject([warning])
  })
})
