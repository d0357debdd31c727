import { createLog } from '@plantroom/base/log'
import type { CommandName } from '@plantroom/contract/commands'
import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { topics } from '@plantroom/contract/topics'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startDevice } from './device.ts'
import { openJournal } from './store/journal.ts'
import { createReportStore } from './store/report-store.ts'
import { createTechnicalSystemStore } from './store/technical-system-store.ts'
import { aCaller } from './testing/caller.ts'
import { immediateChange } from './testing/immediate-change.ts'
import { createMemoryProtocol } from './testing/memory-driver.ts'
import { canListOpenFiles, openFilesIn } from './testing/open-files.ts'
import { aReportEntry } from './testing/report-entry.ts'
import { canMount, createSmallDisk } from './testing/small-disk.ts'

const writable = { accessType: 'READ_WRITE', writeInputData: { min: -50, max: 50 } } as const
const system = aSystem('sys', [
  aConnection({ datapoints: [aDatapoint({ id: 'power', ...writable })], settings: { points: { power: 10 } } }),
])

async function start(folder = temporaryFolder()) {
  const clock = createManualClock()
  const protocol = createMemoryProtocol()
  const log = createLog('edge', 'silent')
  const starting = startDevice({ folder, deviceId: 'dev_1', protocols: { 'modbus-tcp': protocol }, clock, log })
  starting.catch(() => {})
  await clock.advance(0)
  await clock.advance(0)
  const device = await starting.catch((error) => Promise.reject(Object.assign(error, { clock })))
  const stop = async () => {
    const stopped = device.stop()
    await clock.advance(5_000)
    await stopped
  }
  onTestFinished(stop)
  const call = async (command: CommandName, data: Record<string, unknown>) => {
    const reply = Promise.resolve(device.handlers[command](data, aCaller()))
    reply.catch(() => {})
    await clock.advance(0)
    const answered = JSON.parse(await reply) as Record<string, unknown>
    await clock.advance(0)
    return answered
  }
  const commission = (technicalSystem: TechnicalSystem) => call('commission', { technicalSystem })
  const window = () => ({
    datapointId: 'power',
    value: 20,
    from: new Date(clock.now()).toISOString(),
    to: new Date(clock.now() + 60_000).toISOString(),
  })
  return { device, clock, protocol, call, commission, window, stop, folder }
}

describe('a device that cannot start', () => {
  const broken: [string, (folder: string) => void][] = [
    [
      'its journal is of a newer version',
      (folder) => {
        const journal = openJournal(folder)
        journal.exec('PRAGMA user_version = 99')
        journal.close()
      },
    ],
    [
      'the commissioned systems cannot be read',
      (folder) => {
        const journal = openJournal(folder)
        createTechnicalSystemStore(journal).save(immediateChange, system)
        journal.exec("INSERT INTO technical_system VALUES ('broken', '{}')")
        journal.close()
      },
    ],
    [
      'the holds cannot be read',
      (folder) => {
        const journal = openJournal(folder)
        journal.exec("INSERT INTO hold VALUES ('power', 'null')")
        journal.close()
      },
    ],
  ]

  test.runIf(canListOpenFiles).each(broken)('leaves no files open and no timers running: %s', async (_why, breakIt) => {
    const folder = temporaryFolder()
    breakIt(folder)
    const failure = await start(folder).then(
      () => undefined,
      (error) => error,
    )
    expect(failure).toBeInstanceOf(Error)
    expect(failure.clock.waiting()).toEqual([])
    expect(openFilesIn(folder)).toEqual([])
  })
})

describe('a device that is stopped', () => {
  test('leaves no files open and no timers running, even when stopped twice', async () => {
    const { device, clock, commission, call, window, folder, stop } = await start()
    await commission(system)
    await call('demandResponseOverride', window())
    await Promise.all([stop(), device.stop()])
    await device.stop()
    expect(clock.waiting()).toEqual([])
    if (canListOpenFiles) expect(openFilesIn(folder)).toEqual([])
  })

  test('stops even if its equipment hangs', async () => {
    const { device, clock, protocol, commission, folder } = await start()
    await commission(system)
    protocol.driver('conn').close = () => new Promise(() => {})
    let ended = false
    const stopped = device.stop().then(() => {
      ended = true
    })
    await clock.advance(4_999)
    expect(ended).toBe(false)
    await clock.advance(1)
    await stopped
    openJournal(folder).close()
  })

  test('during a write leaves a sound journal for the next start', async () => {
    const { clock, protocol, commission, call, window, folder, stop } = await start()
    await commission(system)
    protocol.driver('conn').writing = new Promise(() => {})
    await call('demandResponseOverride', window())
    await stop()
    await clock.advance(60_000)
    const next = await start(folder)
    await next.clock.advance(0)
    expect(next.protocol.driver('conn').points.get('power')).toBe(20)
  })
})

describe('the uplink', () => {
  test('may come late: earlier reports are sent then, and deleted when confirmed', async () => {
    const { device, clock, commission, call, window } = await start()
    await commission(system)
    await call('demandResponseOverride', window())
    await clock.advance(1_000)
    const sent: string[] = []
    device.open({
      connected: true,
      publish: (topic, payload) => void (topic === topics.reports('dev_1') && sent.push(payload)),
      askTime: () => {},
    })
    expect(sent).toEqual([])
    device.listener.connected()
    expect(sent).toHaveLength(1)
    expect(JSON.parse(sent[0] ?? '').entries).toMatchObject([{ seq: 1, phase: 'applied' }])
    device.listener.confirmed('measurements', 1)
    device.listener.connected()
    expect(sent).toHaveLength(2)
    device.listener.confirmed('reports', 1)
    await clock.advance(0)
    device.listener.connected()
    expect(sent).toHaveLength(2)
  })
})

describe('the figures of a device', () => {
  test('include holds, unsent messages and connection counters', async () => {
    const { device, clock, commission, call, window } = await start()
    expect(device.figures()).toEqual({
      ...{ connections: [], datapointsHeld: 0, overridesPlaced: 0, unsentReports: 0, unsentMeasurements: 0 },
      ...{ clockSuspect: false, journalFlushes: 1, diskWritten: expect.any(Number) },
    })
    const measured = { ...system.connections[0]?.datapoints[0], analyticsInterval: 1 } as Datapoint
    await commission(aSystem('sys', [aConnection({ datapoints: [measured], settings: { points: { power: 10 } } })]))
    await call('demandResponseOverride', window())
    await call('demandResponseOverride', { ...window(), value: 25 })
    await clock.advance(1_000)
    expect(device.figures()).toMatchObject({
      connections: [{ id: 'conn', status: 1, writes: expect.any(Number), timeouts: 0 }],
      ...{ datapointsHeld: 1, overridesPlaced: 2, clockSuspect: false },
    })
    expect(device.figures().unsentReports).toBeGreaterThan(0)
    expect(device.figures().journalFlushes).toBeGreaterThan(3)
    expect(device.figures().unsentMeasurements).toBeGreaterThan(0)
    await clock.advance(60_000)
    expect(device.figures()).toMatchObject({ datapointsHeld: 0, overridesPlaced: 0 })
  })

  test('show a suspect clock after a start in the past', async () => {
    const { folder, clock, stop } = await start()
    // It records the time every 15 minutes while it holds nothing.
    await clock.advance(16 * 60_000)
    await stop()
    expect((await start(folder)).device.figures().clockSuspect).toBe(true)
  })
})

describe.runIf(canMount)('on a full disk', () => {
  test('a device starts, releases its holds, and accepts nothing new', async () => {
    const disk = createSmallDisk('8m')
    const before = await start(disk.folder)
    await before.commission(system)
    const { id } = await before.call('demandResponseOverride', before.window())
    await before.stop()
    // An unsent entry.
    const journal = openJournal(disk.folder)
    createReportStore(journal).add(immediateChange, aReportEntry({ seq: 99 }))
    journal.close()
    disk.fillUpTo(0)

    const { call, window, protocol, clock } = await start(disk.folder)
    await clock.advance(0)
    expect(protocol.driver('conn').points.get('power')).toBe(20)
    await expect(call('demandResponseOverride', window())).rejects.toThrow('cannot keep the command on its disk')
    expect(await call('demandResponseCancel', { id })).toEqual({ success: true })
    await clock.advance(0)
    expect(protocol.driver('conn').points.get('power')).toBe(10)
  })
})
