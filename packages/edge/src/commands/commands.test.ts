import { createLog } from '@plantroom/base/log'
import type { CommandReply } from '@plantroom/contract/commands'
import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Connections, createConnections } from '../connections/connections.ts'
import { createCommits } from '../store/commits.ts'
import { createFactStore } from '../store/fact-store.ts'
import { openJournal } from '../store/journal.ts'
import { createTechnicalSystemStore } from '../store/technical-system-store.ts'
import { createTrialStore } from '../store/trial-store.ts'
import { aCaller } from '../testing/caller.ts'
import { createMemoryProtocol } from '../testing/memory-driver.ts'
import { aPowerController } from '../testing/power-controller.ts'
import { createCommissioning } from './commission.ts'
import { getTechnicalConnectionValues, getTechnicalDataPoints } from './handlers.ts'

async function device(...systems: TechnicalSystem[]) {
  const clock = createManualClock()
  const protocol = createMemoryProtocol()
  const connections = createConnections({
    protocols: { 'modbus-tcp': protocol },
    clock,
    log: createLog('edge', 'silent'),
  })
  const journal = openJournal(temporaryFolder())
  const store = createTechnicalSystemStore(journal)
  onTestFinished(async () => {
    await connections.close()
    journal.close()
  })
  const log = createLog('edge', 'silent')
  const reserve = { hasRoom: () => true, release() {}, restore() {} }
  const commits = createCommits({ journal, reserve, clock, log })
  const { load } = createCommissioning({
    connections,
    systems: store,
    commits,
    isHeld: () => false,
    isWritten: () => false,
    trials: createTrialStore(createFactStore(journal)),
    askCloud: () => {},
    ...{ clock, log },
    auditKey: () => undefined,
    arbiter: { forgetRestored: () => {} },
    apply: connections.apply,
  })
  const commissioned = async (technicalSystem: TechnicalSystem) => load({ technicalSystem }, aCaller())
  for (const system of systems) await commissioned(system)
  await clock.advance(0)
  return { clock, protocol, connections, journal, store, commissioned }
}

const link = (id: string, settings: Record<string, unknown> = {}) =>
  aConnection({ id, datapoints: [aDatapoint({ id: 'power' })], settings: { points: { power: 7 }, ...settings } })

const NO_FAILSAFES = { guards: () => false }

describe('getTechnicalDataPoints', () => {
  const created = (id: string, minute: number) =>
    aDatapoint({ id, createdAt: new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString() })

  async function page(datapoints: readonly Datapoint[], data: { limit?: number; offset?: number } = {}) {
    const { connections } = await device(aSystem('ts', [aConnection({ datapoints })]))
    const reply = await getTechnicalDataPoints(connections, NO_FAILSAFES)({ connectionId: 'conn', ...data }, aCaller())
    return reply as CommandReply<'getTechnicalDataPoints'>
  }

  test('orders by time of creation, then by id', async () => {
    const { datapoints } = await page([created('c', 2), created('b', 1), created('a', 2), created('d', 0)])
    expect(datapoints.map(({ id }) => id)).toEqual(['d', 'b', 'a', 'c'])
  })

  test('returns each datapoint exactly as commissioned', async () => {
    const setpoint = aDatapoint({
      id: 'setpoint',
      connectionId: 'conn',
      accessType: 'READ_WRITE',
      writeInputType: 'number',
      writeInputData: { min: -10, max: 10 },
      analyticsCalculateConsumption: false,
      data: { register: 40, type: 'int16' },
    })
    expect(await page([setpoint])).toEqual({ count: 1, datapoints: [setpoint] })
  })

  test('leaves out the releaseValue, the limits and the labels, which are not in the contract', async () => {
    const valve = aDatapoint({ id: 'valve', connectionId: 'conn', accessType: 'WRITE' })
    const labels = { unit: 'kW', kind: 'setpoint', tags: ['battery.charge-power'] }
    expect(await page([{ ...valve, ...labels, releaseValue: 5, limits: { min: 0, max: 10 } }])).toEqual({
      count: 1,
      datapoints: [valve],
    })
  })

  test('exports the register of a failsafe as telemetry, because nothing else may write it', async () => {
    const writable = { writeInputType: 'number', writeInputData: { min: 0, max: 65_535 }, releaseValue: 0 }
    const beat = aDatapoint({ id: 'beat', accessType: 'READ_WRITE' })
    const failsafes = [{ datapointId: 'power', kind: 'heartbeat', registerId: 'beat', seconds: 10 }] as const
    const controller = await aPowerController({
      more: [{ ...beat, ...writable, analyticsCalculateConsumption: false }],
      points: { beat: 0 },
      system: { failsafes },
    })
    const reply = await controller.call('getTechnicalDataPoints', { connectionId: 'conn' })
    const { datapoints } = reply as { datapoints: Datapoint[] }
    expect(datapoints.find(({ id }) => id === 'beat')).toEqual({ ...beat, accessType: 'READ' })
    expect(datapoints.find(({ id }) => id === 'power')).toMatchObject({ accessType: 'READ_WRITE' })
    await expect(controller.override('beat', 1, 0, 60)).rejects.toThrow('failsafe register')
  })

  test('returns every datapoint once across pages, with the total count on every page', async () => {
    const all = Array.from({ length: 25 }, (_, index) => created(`dp_${String(index).padStart(2, '0')}`, index % 3))
    const { connections } = await device(aSystem('ts', [aConnection({ datapoints: all })]))
    const seen: string[] = []
    for (let offset = 0; offset < 30; offset += 10) {
      const get = getTechnicalDataPoints(connections, NO_FAILSAFES)
      const reply = await get({ connectionId: 'conn', limit: 10, offset }, aCaller())
      const { count, datapoints } = reply as CommandReply<'getTechnicalDataPoints'>
      expect(count).toBe(25)
      seen.push(...datapoints.map(({ id }) => id))
    }
    expect(seen).toHaveLength(25)
    expect(new Set(seen).size).toBe(25)
  })

  test('returns the first hundred by default, and nothing beyond the end', async () => {
    const all = Array.from({ length: 101 }, (_, index) => created(`dp_${index}`, 0))
    expect((await page(all)).datapoints).toHaveLength(100)
    expect(await page(all, { offset: 101 })).toEqual({ count: 101, datapoints: [] })
    expect((await page(all, { offset: 100, limit: 1000 })).datapoints).toHaveLength(1)
  })
})

describe.each<[string, (of: Connections, id: string) => unknown]>([
  [
    'getTechnicalDataPoints',
    (of, connectionId) => getTechnicalDataPoints(of, NO_FAILSAFES)({ connectionId }, aCaller()),
  ],
  ['getTechnicalConnectionValues', (of, id) => getTechnicalConnectionValues(of)({ id }, aCaller())],
])('%s for an unknown connection', (_name, command) => {
  test.each(['conn_unknown', '', '__proto__', 'constructor'])('is rejected: %j', async (id) => {
    const { connections } = await device(aSystem('ts', [link('a')]))
    expect(() => command(connections, id)).toThrow(
      new Failure('rejected', `connection ${id} is not loaded on this device`),
    )
  })
})

describe.each<[string, (of: Connections, id: string) => unknown]>([
  [
    'getTechnicalDataPoints',
    (of, connectionId) => getTechnicalDataPoints(of, NO_FAILSAFES)({ connectionId }, aCaller()),
  ],
  ['getTechnicalConnectionValues', (of, id) => getTechnicalConnectionValues(of)({ id }, aCaller())],
])('%s for a malformed id', (_name, command) => {
  test.each([
    ['60,000 characters', 'x'.repeat(60_000), `${'x'.repeat(100)}…`],
    ['escape sequences', '\u001b[31mred\n', '\\u001b[31mred\\n'],
  ])('is rejected with a short, printable message: %s', async (_what, id, shown) => {
    const { connections } = await device(aSystem('ts', [link('a')]))
    expect(() => command(connections, id)).toThrow(
      new Failure('rejected', `connection ${shown} is not loaded on this device`),
    )
  })
})

describe('getTechnicalConnectionValues', () => {
  test('answers from memory without reading the equipment', async () => {
    const { connections, protocol } = await device(aSystem('ts', [link('a')]))
    const reads = protocol.driver('a').reads.length
    const reply = JSON.parse(String(await getTechnicalConnectionValues(connections)({ id: 'a' }, aCaller())))
    expect(reply).toMatchObject({ connectionId: 'a', status: 1, error: null, values: { power: { value: 7 } } })
    expect(protocol.driver('a').reads).toHaveLength(reads)
  })
})

describe('commission', () => {
  test('saves a system and runs it', async () => {
    const system = aSystem('ts', [link('a')])
    const { connections, store } = await device(system)
    expect(store.load()).toEqual([system])
    expect(connections.get('a')?.config).toEqual(system.connections[0])
  })

  test('changes nothing, on disk or running, when the system is rejected', async () => {
    const system = aSystem('ts', [link('a')])
    const { connections, store, commissioned } = await device(system)
    const before = connections.get('a')
    const mistaken = aSystem('ts', [link('b'), link('a', { broken: true })])
    await expect(commissioned(mistaken)).rejects.toThrow(
      new Failure('rejected', 'connections[1].settings.broken: is invalid'),
    )
    expect(store.load()).toEqual([system])
    expect(connections.get('a')).toBe(before)
    expect(connections.get('b')).toBeUndefined()
  })

  test('changes nothing, on disk or running, when the system does not fit on the disk', async () => {
    const system = aSystem('ts', [link('a')])
    const { connections, journal, store, commissioned } = await device(system)
    const before = connections.get('a')
    journal.exec('PRAGMA max_page_count = 1')
    const large = aSystem('ts', [link('b', { note: 'x'.repeat(100_000) })])
    await expect(commissioned(large)).rejects.toThrow('database or disk is full')
    expect(store.load()).toEqual([system])
    expect(connections.get('a')).toBe(before)
    expect(connections.get('b')).toBeUndefined()
  })

  test('removes a system that has no connections any more', async () => {
    const { connections, store, commissioned } = await device(aSystem('ts', [link('a')]), aSystem('other', [link('b')]))
    await commissioned(aSystem('ts', []))
    expect(store.load().map(({ id }) => id)).toEqual(['other'])
    expect(connections.get('a')).toBeUndefined()
    expect(connections.get('b')).toBeDefined()
  })

  test('interrupts nothing when the same system is loaded again', async () => {
    const { connections, protocol, commissioned } = await device(aSystem('ts', [link('a')]))
    await commissioned(aSystem('ts', [link('a')]))
    expect(protocol.drivers.get('a')).toHaveLength(1)
    expect(connections.get('a')).toBeDefined()
  })

  test('closes the old connection before it opens the new one, even during a read', async () => {
    const { clock, protocol, commissioned } = await device(aSystem('ts', [link('a')]))
    const old = protocol.driver('a')
    old.reading = new Promise(() => {})
    await clock.advance(1000)
    await commissioned(aSystem('ts', [link('a', { points: { power: 8 } })]))
    await clock.advance(0)
    expect(protocol.drivers.get('a')?.map((driver) => driver.isOpen())).toEqual([false, true])
  })
})
