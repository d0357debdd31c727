import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '@plantroom/base/log'
import type { CommandName } from '@plantroom/contract/commands'
import type { ControlState } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { DeviceHealth } from '@plantroom/contract/health'
import type { ChainedEntry } from '@plantroom/contract/reports'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { ConnectionValues, DatapointValue } from '@plantroom/contract/values'
import type { Image, Protocol, Raw } from '@plantroom/drivers/driver'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { type Device, startDevice } from '../device.ts'
import type { Point } from '../device-parts.ts'
import type { Caller } from '../overrides/once.ts'
import { aCaller } from './caller.ts'
import { createMemoryCloud, type MemoryCloud } from './memory-cloud.ts'
import { createMemoryDriver, createSilentDriver, type MemoryDriver, memoryTargets } from './memory-driver.ts'

/** Turns of the event loop after which a device has nothing left to do until time passes. */
const SETTLED_AFTER = 10

/**
 * A whole device on equipment in memory, with a clock that the test moves, a cloud that stores what it receives, and a
 * real disk.
 */
export interface Controller {
  readonly clock: ManualClock
  /** The equipment of all connections. It outlives the device. */
  readonly equipment: MemoryDriver
  /** The audit entries in the cloud: each once, in the order of arrival. */
  readonly reports: readonly ChainedEntry[]
  /** Entries that arrived again with other content. */
  readonly contradictions: readonly ChainedEntry[]
  /** What the device said last about itself. */
  readonly health: DeviceHealth | undefined
  /** What the device said last about its holds. */
  readonly state: ControlState | undefined
  /** Whether the cloud can be reached. */
  uplink: boolean
  /** Whether the cloud confirms what it has stored. */
  confirms: boolean
  readonly folder: string
  /** Rejects when the device dies before it answers. */
  call(command: CommandName, data: object, caller?: Partial<Caller>): Promise<unknown>
  /** Places an override with a start and an end in seconds from now, and returns its id. */
  override(datapointId: string, value: number, fromS: number, toS: number, caller?: Partial<Caller>): Promise<string>
  cancel(id: string, caller?: Partial<Caller>): Promise<unknown>
  commission(system: TechnicalSystem): Promise<void>
  /** The system commissioned last. */
  readonly system: TechnicalSystem
  values(): Promise<Record<string, DatapointValue>>
  /** Reconnects the cloud, which sends its time. */
  reconnect(cloudTime?: number): Promise<void>
  /** Lets time pass, with everything that follows from it. */
  pass(seconds: number): Promise<void>
  /** Stops the device and starts it again `seconds` later. */
  restart(seconds?: number): Promise<void>
  /** Whether the device has asked to be stopped and started again, since its start. */
  readonly asksForRestart: boolean
  /**
   * Kills the device as a power cut does, and starts it again with the current contents of its disk. After `dieAt`
   * has struck, with the contents of that moment. `damage` changes them before the start.
   */
  crash(seconds?: number, damage?: (folder: string) => void): Promise<void>
  /** Kills the device the next time it reaches this point; `undefined` takes that back. */
  dieAt(point: Point | undefined): void
  readonly dead: boolean
  /** When the device last died, and whether the change being flushed had reached the disk. */
  readonly death: Death | undefined
  /** Safe to call again. */
  stop(): Promise<void>
}

interface Death {
  wall: number
  monotonic: number
  saved: boolean
}

interface ControllerOptions {
  points: Readonly<Record<string, Raw | string | Image>>
  clock?: ManualClock
  reached?: (point: Point) => void
  /** The connections whose equipment lets every request time out, with the timeout in milliseconds. */
  silentConnections?: Readonly<Record<string, number>>
  /** A journal to start with, instead of an empty one. What is commissioned there stays. */
  journal?: string
  /** Commissions nothing. */
  isEmpty?: boolean
  /** The equipment of another controller. */
  equipment?: MemoryDriver
  /** Equipment at hosts of its own, by `settings.host`. */
  hosts?: Readonly<Record<string, MemoryDriver>>
  targets?: Protocol['targets']
  /** Where the device keeps its files; a folder of its own unless given. */
  folder?: string
}

interface State {
  options: ControllerOptions
  clock: ManualClock
  equipment: MemoryDriver
  cloud: MemoryCloud
  uplink: boolean
  confirms: boolean
  folder: string
  system: TechnicalSystem
  /** The device that runs now, and the one that was stopped last. */
  device: Device | undefined
  stopped: Device | undefined
  /** Counts the lives of the device. A device of an earlier life reaches neither equipment nor cloud. */
  life: number
  diesAt: Point | undefined
  death: Death | undefined
  /** A copy of the disk at the moment of death. */
  remains: string | undefined
  asksForRestart: boolean
}

export async function startController(system: TechnicalSystem, options: ControllerOptions): Promise<Controller> {
  const state: State = {
    options,
    clock: options.clock ?? createManualClock(),
    equipment: options.equipment ?? createMemoryDriver(options.points),
    cloud: createMemoryCloud(),
    uplink: true,
    confirms: true,
    folder: options.folder ?? temporaryFolder(),
    system,
    device: undefined,
    stopped: undefined,
    life: 0,
    diesAt: undefined,
    death: undefined,
    remains: undefined,
    asksForRestart: false,
  }
  if (options.journal !== undefined) cpSync(options.journal, join(state.folder, 'journal.db'))
  await start(state)
  const controller = controllerOf(state)
  if (options.journal === undefined && !options.isEmpty) await controller.commission(system)
  else await controller.pass(0)
  return controller
}

function controllerOf(state: State): Controller {
  const { clock, equipment, cloud } = state
  const controller: Controller = {
    clock,
    equipment,
    contradictions: cloud.contradictions,
    get uplink() {
      return state.uplink
    },
    set uplink(up) {
      state.uplink = up
    },
    get confirms() {
      return state.confirms
    },
    set confirms(confirms) {
      state.confirms = confirms
    },
    get folder() {
      return state.folder
    },
    get system() {
      return state.system
    },
    get reports() {
      return cloud.reports
    },
    get health() {
      return cloud.health
    },
    get state() {
      return cloud.state
    },
    get dead() {
      return state.remains !== undefined
    },
    get death() {
      return state.death
    },
    ...commandsOf(state),
    reconnect: (cloudTime) => reconnect(state, cloudTime),
    pass: (seconds) => pass(state, seconds),
    restart: (seconds) => restart(state, seconds),
    get asksForRestart() {
      return state.asksForRestart
    },
    crash: (seconds, damage) => crash(state, seconds, damage),
    dieAt(point) {
      state.diesAt = point
    },
    stop: () => stop(state),
  }
  return controller
}

function commandsOf(state: State): Pick<Controller, 'call' | 'override' | 'cancel' | 'commission' | 'values'> {
  const { clock } = state
  const call: Controller['call'] = async (command, data, caller) => {
    const reply = Promise.resolve(running(state).handlers[command](data as Record<string, unknown>, aCaller(caller)))
    let isAnswered = false
    const answered = () => {
      isAnswered = true
    }
    reply.then(answered, answered)
    do await clock.advance(0)
    while (!isAnswered && state.remains === undefined)
    const text = await reply
    if (state.remains !== undefined) throw new Error('the device died before it answered')
    return JSON.parse(text)
  }
  return {
    call,
    async override(datapointId, value, fromS, toS, caller) {
      const at = (seconds: number) => formatTimestamp(clock.now() + seconds * 1000)
      const data = { datapointId, value, from: at(fromS), to: at(toS) }
      const { id } = (await call('demandResponseOverride', data, caller)) as { id: string }
      await pass(state, 0)
      return id
    },
    async cancel(id, caller) {
      const reply = await call('demandResponseCancel', { id }, caller)
      await pass(state, 0)
      return reply
    },
    async commission(system) {
      await call('commission', { technicalSystem: system })
      state.system = system
      await pass(state, 0)
    },
    async values() {
      const all = await Promise.all(
        state.system.connections.map(
          async ({ id }) => ((await call('getTechnicalConnectionValues', { id })) as ConnectionValues).values,
        ),
      )
      return Object.assign({}, ...all)
    },
  }
}

async function start(state: State): Promise<void> {
  const { clock, options } = state
  const life = state.life
  const isAlive = () => life === state.life
  state.asksForRestart = false
  const device = await startDevice({
    onRestored() {
      state.asksForRestart = true
    },
    folder: state.folder,
    deviceId: 'dev_1',
    protocols: { 'modbus-tcp': protocolFor(state) },
    clock,
    log: createLog('edge', 'silent'),
    reached(point) {
      if (!isAlive()) return
      options.reached?.(point)
      if (point === state.diesAt) die(state)
    },
  })
  state.device = device
  const confirm: Device['listener']['confirmed'] = (what, upTo) => {
    if (state.confirms) setImmediate(() => isAlive() && device.listener.confirmed(what, upTo))
  }
  device.open({
    get connected() {
      return state.uplink && isAlive()
    },
    publish(topic, payload) {
      if (state.uplink && isAlive()) state.cloud.receive(topic, payload, confirm)
    },
    askTime() {
      if (state.uplink && isAlive()) setImmediate(() => isAlive() && device.listener.heard())
    },
  })
  if (state.uplink) device.listener.connected()
}

/** Connects the equipment to the device of the current life only. */
function protocolFor(state: State): Protocol {
  const { clock, options } = state
  const life = state.life
  const whileAlive = <Result>(act: () => Promise<Result>) =>
    life === state.life ? act() : Promise.reject(new Failure('offline', 'the device is dead'))
  return {
    check: () => [],
    targets: options.targets ?? memoryTargets,
    connect({ id, settings }) {
      const timeoutMs = options.silentConnections?.[id]
      if (timeoutMs !== undefined) return createSilentDriver(clock, timeoutMs)
      const equipment = options.hosts?.[String(settings.host)] ?? state.equipment
      return {
        open: (signal) => whileAlive(() => equipment.open(signal)),
        read: (ids) => whileAlive(() => equipment.read(ids)),
        write: (id, raw, options) => whileAlive(() => equipment.write(id, raw, options)),
        nearest: (id, raw) => equipment.nearest(id, raw),
        inCharge: async (id) => whileAlive(async () => equipment.inCharge?.(id)),
        armReversion: (id) => whileAlive(async () => equipment.armReversion?.(id)),
        disarmReversion: (id) => whileAlive(async () => equipment.disarmReversion?.(id)),
        close: async () => {
          if (life === state.life) await equipment.close()
        },
      }
    },
  }
}

/** Ends a life: what the device does from now on reaches neither the next disk, nor the equipment, nor the cloud. */
function die(state: State): void {
  const { clock } = state
  state.death = { wall: clock.now(), monotonic: clock.monotonic(), saved: state.diesAt !== 'flush:before' }
  state.diesAt = undefined
  state.remains = temporaryFolder()
  cpSync(state.folder, state.remains, { recursive: true })
  state.life += 1
}

async function pass({ clock }: State, seconds: number): Promise<void> {
  await clock.advance(seconds * 1000)
  // From a decision to the entry in the cloud it takes three flushes, a reading and a write.
  for (let turn = 0; turn < SETTLED_AFTER; turn += 1) await clock.advance(0)
}

async function reconnect(state: State, cloudTime = state.clock.now()): Promise<void> {
  const { listener } = running(state)
  state.uplink = true
  listener.cloudTime(cloudTime)
  listener.connected()
  await pass(state, 0)
}

async function restart(state: State, seconds = 0): Promise<void> {
  await stop(state)
  state.life += 1
  await closeEquipment(state)
  await pass(state, seconds)
  await start(state)
  await pass(state, 0)
}

async function crash(state: State, seconds = 0, damage?: (folder: string) => void): Promise<void> {
  if (state.remains === undefined) die(state)
  await closeEquipment(state)
  await stop(state)
  rmSync(state.folder, { recursive: true, force: true })
  state.folder = state.remains ?? state.folder
  state.remains = undefined
  damage?.(state.folder)
  await pass(state, seconds)
  await start(state)
  await pass(state, 0)
}

async function closeEquipment({ equipment, options }: State): Promise<void> {
  await Promise.all([equipment, ...Object.values(options.hosts ?? {})].map((driver) => driver.close()))
}

async function stop(state: State): Promise<void> {
  if (state.stopped === state.device) return
  state.stopped = state.device
  await state.device?.stop()
}

function running({ device }: State): Device {
  if (!device) throw new Error('the device has not started')
  return device
}
