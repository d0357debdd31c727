import { Failure } from '@plantroom/contract/failure'
import type { Driver, Protocol, Reading, Writable, WriteOptions } from '../driver.ts'
import { refuseProblems } from '../fields.ts'
import type { ModbusSettings } from '../modbus/config.ts'
import { createDriverSession } from '../modbus/driver-session.ts'
import { executePlan } from '../modbus/execute-plan.ts'
import { ACKNOWLEDGE, exceptionText, isTemporary } from '../modbus/frame.ts'
import type { Lines } from '../modbus/lines.ts'
import type { Address as SocketAddress } from '../modbus/open-socket.ts'
import { PlanRun } from '../modbus/plan-run.ts'
import { createReadPlan, isUpToDate, type Readable, type ReadPlan } from '../modbus/read-plan.ts'
import type { SerialAddress } from '../modbus/rtu/serial.ts'
import type { UnitSession, WriteRules } from '../modbus/unit-session.ts'
import { combineUnits, type UnitDriver } from './combine-units.ts'
import { parseConfig, type SunspecConfig, type SunspecPoint } from './config.ts'
import { type Switch, switched, switchesOf } from './controls.ts'
import { DeviceModels, type Places } from './device.ts'
import { discoverDevices } from './discover.ts'
import {
  type Located,
  MOVED,
  prepareChange,
  prepareWrite,
  readLocated,
  registersOfImage,
  registersOfValue,
  widthOf,
} from './located.ts'
import { readWhole } from './read-whole.ts'
import { newMemory, registersOf } from './registers.ts'
import { createRevertTimers } from './revert-timers.ts'
import { targetsOf } from './targets.ts'
import { applyScale, toRegister } from './values.ts'

/** The lines that SunSpec devices are on. They are those of the Modbus connections to the same address. */
export interface SunspecLines {
  tcp: Lines<SocketAddress>
  serial: Lines<SerialAddress>
}

/** SunSpec: devices that describe their own Modbus registers. A connection with a `path` is on a serial line. */
export function createSunspecProtocol({ tcp, serial }: SunspecLines): Protocol {
  const [onSocket, onLine] = [protocolOn(tcp), protocolOn(serial)]
  const ofConnection = ({ settings }: { settings: Record<string, unknown> }) =>
    settings.path === undefined ? onSocket : onLine
  return {
    check: (connection) => ofConnection(connection).check(connection),
    targets: (connection) => ofConnection(connection).targets(connection),
    connect: (connection, listener) => ofConnection(connection).connect(connection, listener),
    discover: (settings, { signal }) =>
      settings.path === undefined ? discoverDevices(settings, tcp, signal) : discoverDevices(settings, serial, signal),
  }
}

function protocolOn<Address>(lines: Lines<Address>): Protocol {
  const { medium } = lines
  return {
    check: (connection) => parseConfig(connection, medium).problems,
    targets: (connection) => targetsOf(parseConfig(connection, medium).config, medium),
    connect(connection, listener) {
      const { config, problems } = parseConfig(connection, medium)
      refuseProblems(problems)
      const ids = connection.datapoints.map(({ id }) => id)
      const { name } = medium.transport(config.address)
      const units = config.unitIds.map((unitId, index): UnitDriver => {
        const points = config.points.filter((point) => point.unitId === unitId)
        const pointIds = ids.filter((_, place) => config.points[place]?.unitId === unitId)
        // They share the link: its loss is reported once.
        const heard = listener && index > 0 ? { ...listener, lost: () => {} } : listener
        const join = () => lines.join(config.address, { unitId, timing: config.settings, listener: heard })
        return { pointIds, driver: createDriver({ ...config, name, points }, pointIds, join) }
      })
      const [only] = units
      return only && units.length === 1 ? only.driver : combineUnits(units)
    },
  }
}

interface DriverConfig extends Pick<SunspecConfig<unknown>, 'points' | 'baseAddress' | 'revertSeconds'> {
  settings: ModbusSettings
  /** Names the endpoint in messages. */
  name: string
}

/** @param ids of the config's points, in the same order */
function createDriver(config: DriverConfig, ids: readonly string[], join: () => UnitSession): Driver {
  const { name, settings, points } = config
  const pointsById = new Map(points.map((point, index) => [ids[index] ?? '', point]))
  const reversion = createRevertTimers({
    ...{ points, seconds: config.revertSeconds },
    async read(timer) {
      const used = session.get()
      const located = (await findPlaces(used, true)).get(timer)
      if (!isLocated(located)) return undefined
      const [result] = await readWhole([located], readsOf(used, true))
      if (!result) return undefined
      return 'error' in result.whole ? result.whole : read(located, result.whole, 0)
    },
    write: (timer, seconds, stillWanted) =>
      write(timer, seconds, { release: true, ...(stillWanted && { stillWanted }) }),
    now: () => session.get().now(),
  })
  const switches = switchesOf(points)
  const models = new DeviceModels(config, { timers: reversion.timers, switches })
  /** The points that hold a setpoint of ours: while they are switched off, the device does not follow it. */
  const held = new Set<SunspecPoint>()
  /** The scale factors as they were read last, for rounding. */
  const scales = new Map<SunspecPoint, number>()
  let memory = newMemory()
  let known: { places: Places; readable: ReadonlyMap<string, Readable> } | undefined
  let polled: ReadPlan | undefined
  const session = createDriverSession(name, join)

  function writablePoint(pointId: string): SunspecPoint {
    const point = pointsById.get(pointId)
    if (!point) throw new Failure('rejected', `${pointId} is not a datapoint of this connection`)
    if (!point.writable) throw new Failure('rejected', `${point.name} can only be read`)
    return point
  }

  function read(located: Located, wire: DataView, at: number): Reading {
    const { point } = located
    const { reading, scale, isOff, hasMoved } = readLocated(located, wire, at)
    if (scale !== undefined) scales.set(point, scale)
    if (hasMoved) models.forget()
    if (!isOff || !held.has(point)) return reading
    const { image } = reading
    return {
      error: `${switches.get(point)?.name} is 0: the device does not follow the setpoint`,
      ...(image && { image }),
    }
  }

  async function findPlaces(used: UnitSession, urgent: boolean): Promise<Places> {
    const places = await models.places(registersOf(used, newMemory(), urgent), used.now())
    if (places !== known?.places) {
      known = { places, readable: readableOf(places) }
      memory = newMemory()
      polled = undefined
    }
    return places
  }

  /** The points that one request can read together with number, length and scale factor of their model. */
  function readableOf(places: Places): ReadonlyMap<string, Readable> {
    const readable = new Map<string, Readable>()
    for (const [id, point] of pointsById) {
      const located = places.get(point)
      if (!isLocated(located) || widthOf(located) > settings.maxRegistersPerRead) continue
      const { register } = located.model
      const readAt = (wire: DataView, at: number) => read(located, wire, at)
      readable.set(id, { table: 'holding', register, width: widthOf(located), read: readAt })
    }
    return readable
  }

  /** Reuses the plan of the last poll, since polls read the same points each time. */
  function planFor(pointIds: readonly string[], urgent: boolean): ReadPlan {
    if (polled && isUpToDate(polled, pointIds, memory.holes)) return polled
    const plan = createReadPlan(pointIds, known?.readable ?? new Map(), settings, memory.holes)
    if (!urgent) polled = plan
    return plan
  }

  const readsOf = (used: UnitSession, urgent: boolean) => ({
    read: registersOf(used, memory, urgent),
    maxRegisters: settings.maxRegistersPerRead,
  })

  async function readAll(used: UnitSession, pointIds: readonly string[], urgent: boolean): Promise<readonly Reading[]> {
    const places = await findPlaces(used, urgent)
    const asked = pointIds.map((id) => {
      const point = pointsById.get(id)
      return point && places.get(point)
    })
    const readings = [...(await executePlan(new PlanRun(planFor(pointIds, urgent), memory, used, urgent)))]
    const long = asked.filter((place, index) => isLocated(place) && !known?.readable.has(pointIds[index] ?? ''))
    const whole = await readWhole(long.filter(isLocated), readsOf(used, urgent))
    const longReadings = new Map(
      whole.map(({ located, whole: wire }) => [located, 'error' in wire ? wire : read(located, wire, 0)]),
    )
    return asked.map((place, index): Reading => {
      if (typeof place === 'string') return { error: place }
      return (place && longReadings.get(place)) ?? readings[index] ?? { error: 'not read' }
    })
  }

  async function locate(used: UnitSession, point: SunspecPoint): Promise<Located> {
    const located = (await findPlaces(used, true)).get(point)
    if (isLocated(located)) return located
    throw new Failure('offline', `${point.name}: ${located ?? 'not found'}`)
  }

  /** Writes a point. Returns whether its control is switched off. */
  async function write(point: SunspecPoint, value: Writable, options: WriteOptions): Promise<boolean> {
    const { release = false, stillWanted } = options
    const used = session.get()
    const located = await locate(used, point)
    const image = typeof value === 'object' ? registersOfImage(located, value.image) : undefined
    const encode = typeof value === 'object' ? () => image ?? new Uint8Array() : registersOfValue(point, value)
    let isOff = false
    const prepare = prepareWrite(located, encode, {
      maxRegisters: settings.maxRegistersPerRead,
      onMoved: () => models.forget(),
      onSwitch(off) {
        isOff = off
      },
    })
    await send(used, located, { release, stillWanted, prepare })
    return isOff
  }

  async function send(used: UnitSession, { point, model, place }: Located, rules: WriteRules): Promise<void> {
    const address = model.register + place.offset
    const { width: count } = point.definition
    const reply = await used.write({ functionCode: 16, address, count, payload: new Uint8Array() }, rules)
    // An acknowledged write is still being carried out, so that only a reading can confirm it.
    if (!('exception' in reply) || reply.exception === ACKNOWLEDGE) return
    const kind = isTemporary(reply.exception) ? 'offline' : 'rejected'
    throw new Failure(kind, `${point.name}: ${exceptionText(reply.exception)}`)
  }

  /** Switches a control on or off, and leaves the bits of other controls as they are. */
  async function turn(onOff: Switch, isOn: boolean, { release = false, stillWanted }: WriteOptions): Promise<void> {
    const used = session.get()
    const located = await locate(used, onOff.point)
    const prepare = prepareChange(located, (word) => switched(onOff, word, isOn), { onMoved: () => models.forget() })
    await send(used, located, { release, stillWanted, prepare })
  }

  /** Writes a control. A number switches it on, after the setpoint; an image switches it off again, before. */
  async function writeControl(point: SunspecPoint, value: Writable, options: WriteOptions): Promise<void> {
    const onOff = switches.get(point)
    // A switch that is a datapoint of the file is left to it.
    const ours = onOff && !points.includes(onOff.point) ? onOff : undefined
    if (typeof value === 'object') {
      registersOfImage(await locate(session.get(), point), value.image)
      if (ours) await turn(ours, false, options)
      await write(point, value, options)
      held.delete(point)
      return
    }
    const isOff = await write(point, value, options)
    held.add(point)
    if (isOff && ours) await turn(ours, true, options)
  }

  return {
    async open(signal) {
      models.forget()
      await session.open(signal)
    },

    async read(pointIds, { urgent = false } = {}) {
      const used = session.get()
      const readings = await readAll(used, pointIds, urgent)
      const hasMoved = readings.some((reading) => 'error' in reading && reading.error === MOVED)
      return hasMoved ? readAll(used, pointIds, urgent) : readings
    },

    nearest(pointId, raw) {
      const point = writablePoint(pointId)
      const scale = scales.get(point)
      if (scale !== undefined) return applyScale(toRegister(point.type, raw, scale), scale)
      if (Math.abs(raw) < 2 ** 53) return raw
      throw new Failure('rejected', `${raw} cannot be written: it must be a number from -2^53 to 2^53`)
    },

    async write(pointId, value, options = {}) {
      const point = writablePoint(pointId)
      if (typeof value === 'object' && !switches.has(point)) {
        throw new Failure('rejected', `${point.name} has no images`)
      }
      await writeControl(point, value, options)
    },

    armReversion: async (pointId) => reversion.arm(writablePoint(pointId)),
    async disarmReversion(pointId) {
      const point = writablePoint(pointId)
      held.delete(point)
      await reversion.disarm(point)
    },

    async close() {
      session.close()
    },
  }
}

const isLocated = (place: Located | string | undefined): place is Located => typeof place === 'object'
