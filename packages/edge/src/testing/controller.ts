import { cpSync, rmSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { sleep } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { ReportBatch, ReportEntry } from '@plantroom/contract/reports'
import type { MeasurementBatch } from '@plantroom/contract/telemetry'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { ConnectionValues, DatapointValue } from '@plantroom/contract/values'
import type { Driver, Image, Protocol, Raw } from '@plantroom/drivers/driver'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { type Device, type Point, startDevice } from '../device.ts'
import type { Caller } from '../overrides/once.ts'
import { aCaller } from './caller.ts'
import { createMemoryDriver, type MemoryDriver, memoryTargets } from './memory-driver.ts'

/** Turns of the event loop after which a device has nothing left to do without time passing. */
const SETTLED_AFTER = 10

/** A whole device on equipment in memory, with time that the test moves, a cloud that keeps what it is sent, and a disk that is real. */
export interface Controller {
  readonly clock: ManualClock
  /** The equipment of all connections: it outlives the device. */
  readonly equipment: MemoryDriver
  /** What the cloud has stored: each entry once, in the order of arrival. */
  readonly reports: readonly ReportEntry[]
  /** Entries that came a second time and said something else. */
  readonly contradictions: readonly ReportEntry[]
  /** Is there a way to the cloud? */
  uplink: boolean
  /** Does the cloud confirm what it has stored? */
  confirms: boolean
  readonly folder: string
  /** Rejects when the device dies before it has answered. */
  call(command: string, data: object, caller?: Partial<Caller>): Promise<unknown>
  /** Places a window of so many seconds from now and gives its id. */
  override(datapointId: string, value: number, fromS: number, toS: number, caller?: Partial<Caller>): Promise<string>
  cancel(id: string, caller?: Partial<Caller>): Promise<unknown>
  commission(system: TechnicalSystem): Promise<void>
  /** What was commissioned last. */
  readonly system: TechnicalSystem
  values(): Promise<Record<string, DatapointValue>>
  /** The cloud is there, anew, and tells its time. */
  reconnect(cloudTime?: number): Promise<void>
  /** Lets time pass, and all that follows from it. */
  pass(seconds: number): Promise<void>
  /** Stops and starts again, `seconds` later. */
  restart(seconds?: number): Promise<void>
  /**
   * Ends without a word, as a power cut does, and starts again: what is on the disk at this moment is all that the next
   * start has. Where `dieAt` has come true, that was the moment.
   */
  crash(seconds?: number): Promise<void>
  /** The next time that this point is reached, the device dies right there; `undefined`: it does not. */
  dieAt(point: Point | undefined): void
  readonly dead: boolean
  /** When it last died, and whether what was on its way to the disk had reached it. */
  readonly death: { wall: number; monotonic: number; saved: boolean } | undefined
  /** Once is enough: a second time does nothing. */
  stop(): Promise<void>
}

export async function startController(
  system: TechnicalSystem,
  options: {
    points: Readonly<Record<string, Raw | string | Image>>
    clock?: ManualClock
    reached?: (point: Point) => void
    /** The connections whose equipment lets every question run into its timeout, and how long that is. */
    blackHoles?: Readonly<Record<string, number>>
  },
): Promise<Controller> {
  const clock = options.clock ?? createManualClock()
  const equipment = createMemoryDriver(options.points)
  const log = createLog('edge', 'silent')
  const stored = new Map<string, ReportEntry>()
  const contradictions: ReportEntry[] = []
  let commissioned = system
  let folder = temporaryFolder()
  let left: string | undefined
  let device: Device
  let stopped: Device | undefined
  let life = 0
  let diesAt: Point | undefined
  let death: Controller['death']

  /** A device that is dead does not reach the equipment any more. */
  function wiring(): Protocol {
    const mine = life
    const alive = <Result>(act: () => Promise<Result>) =>
      mine === life ? act() : Promise.reject(new Failure('offline', 'the device is dead'))
    return {
      check: () => [],
      targets: memoryTargets,
      connect: ({ id }) =>
        blackHole(clock, options.blackHoles?.[id]) ?? {
          open: (signal) => alive(() => equipment.open(signal)),
          read: (ids) => alive(() => equipment.read(ids)),
          write: (id, raw, options) => alive(() => equipment.write(id, raw, options)),
          nearest: (id, raw) => equipment.nearest(id, raw),
          close: async () => {
            if (mine === life) await equipment.close()
          },
        },
    }
  }

  /** What it does from now on goes to a disk, to equipment and to a cloud that nobody will look at again. */
  function die(): void {
    death = { wall: clock.now(), monotonic: clock.monotonic(), saved: diesAt !== 'flush:before' }
    diesAt = undefined
    left = temporaryFolder()
    cpSync(folder, left, { recursive: true })
    life += 1
  }

  async function start(): Promise<void> {
    const mine = life
    device = await startDevice({
      folder,
      deviceId: 'dev_1',
      protocols: { 'modbus-tcp': wiring() },
      clock,
      log,
      reached(point) {
        if (mine !== life) return
        options.reached?.(point)
        if (point === diesAt) die()
      },
    })
    device.open({
      get connected() {
        return controller.uplink && mine === life
      },
      publish(topic, payload) {
        if (!controller.uplink || mine !== life) return
        const [, , what] = topic.split('/')
        if (what === 'reports') takeReports(JSON.parse(payload) as ReportBatch)
        if (what === 'measurements') confirm('measurements', (JSON.parse(payload) as MeasurementBatch).upTo)
      },
    })
    device.listener.connected()
  }

  function takeReports({ entries }: ReportBatch): void {
    for (const entry of entries) {
      const known = stored.get(entry.id)
      if (!known) stored.set(entry.id, entry)
      else if (!isDeepStrictEqual(known, entry)) contradictions.push(entry)
    }
    const last = entries.at(-1)
    if (last) confirm('reports', last.seq)
  }

  function confirm(what: 'reports' | 'measurements', upTo: number): void {
    if (!controller.confirms) return
    const mine = life
    setImmediate(() => mine === life && device.listener.confirmed(what, upTo))
  }

  const controller: Controller = {
    clock,
    equipment,
    contradictions,
    uplink: true,
    confirms: true,
    get folder() {
      return folder
    },
    get system() {
      return commissioned
    },
    get reports() {
      return [...stored.values()]
    },
    get dead() {
      return left !== undefined
    },
    get death() {
      return death
    },
    async call(command, data, caller) {
      const handler = device.handlers[command]
      if (!handler) throw new Error(`no command ${command}`)
      const reply = Promise.resolve(handler(data as Record<string, unknown>, aCaller(caller)))
      reply.catch(() => {})
      await clock.advance(0)
      const text = await reply
      if (controller.dead) throw new Error('the device died before it answered')
      return JSON.parse(text)
    },
    async override(datapointId, value, fromS, toS, caller) {
      const at = (seconds: number) => formatTimestamp(clock.now() + seconds * 1000)
      const data = { datapointId, value, from: at(fromS), to: at(toS) }
      const { id } = (await controller.call('demandResponseOverride', data, caller)) as { id: string }
      await controller.pass(0)
      return id
    },
    async cancel(id, caller) {
      const reply = await controller.call('demandResponseCancel', { id }, caller)
      await controller.pass(0)
      return reply
    },
    async commission(next) {
      await controller.call('commission', { technicalSystem: next })
      commissioned = next
      await controller.pass(0)
    },
    async values() {
      const all = await Promise.all(
        commissioned.connections.map(
          async ({ id }) =>
            ((await controller.call('getTechnicalConnectionValues', { id })) as ConnectionValues).values,
        ),
      )
      return Object.assign({}, ...all)
    },
    async reconnect(cloudTime = clock.now()) {
      controller.uplink = true
      device.listener.cloudTime(cloudTime)
      device.listener.connected()
      await controller.pass(0)
    },
    async pass(seconds) {
      await clock.advance(seconds * 1000)
      // From a decision over a flush, a reading, another flush, a write and a third flush to the entry at the cloud.
      for (let turn = 0; turn < SETTLED_AFTER; turn += 1) await clock.advance(0)
    },
    async restart(seconds = 0) {
      await controller.stop()
      life += 1
      await equipment.close()
      await controller.pass(seconds)
      await start()
      await controller.pass(0)
    },
    async crash(seconds = 0) {
      if (!left) die()
      await equipment.close()
      await controller.stop()
      rmSync(folder, { recursive: true, force: true })
      folder = left ?? folder
      left = undefined
      await controller.pass(seconds)
      await start()
      await controller.pass(0)
    },
    dieAt(point) {
      diesAt = point
    },
    async stop() {
      if (stopped === device) return
      stopped = device
      await device.stop()
    },
  }

  await start()
  await controller.commission(system)
  return controller
}

/** Accepts the connection and answers nothing. */
function blackHole(clock: ManualClock, timeoutMs: number | undefined): Driver | undefined {
  if (timeoutMs === undefined) return undefined
  const closed = new AbortController()
  const noAnswer = async () => {
    await sleep(clock, timeoutMs, closed.signal)
    throw new Failure('offline', 'no answer')
  }
  return {
    open: async () => {},
    read: noAnswer,
    write: noAnswer,
    nearest: (_id, raw) => raw,
    close: async () => closed.abort(),
  }
}
