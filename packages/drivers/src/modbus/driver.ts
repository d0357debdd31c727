import { Failure } from '@plantroom/contract/failure'
import type { Driver, Protocol, ProtocolDeps, Writable } from '../driver.ts'
import { refuseProblems } from '../fields.ts'
import { decodeImage, encodeBit, encodeRegisters, nearestRaw, readerOf } from './codec.ts'
import { type ModbusConfig, type ModbusPoint, parseConfig } from './config.ts'
import { discoverUnits } from './discover.ts'
import { createDriverSession } from './driver-session.ts'
import { executePlan } from './execute-plan.ts'
import { ACKNOWLEDGE, exceptionText, isTemporary, type WriteRequest } from './frame.ts'
import { createHoles } from './holes.ts'
import { createLines, type Lines } from './lines.ts'
import { PlanRun, type ReadMemory } from './plan-run.ts'
import { createReadPlan, isUpToDate, type ReadPlan } from './read-plan.ts'
import { createRtuOverTcpMedium } from './rtu/over-tcp.ts'
import { createSerialMedium } from './rtu/serial.ts'
import { targetsOf } from './targets.ts'
import { createTcpMedium } from './tcp.ts'
import type { UnitSession } from './unit-session.ts'

export const createTcpLines = (deps: ProtocolDeps) => createLines(createTcpMedium(deps), deps.clock)
export const createSerialLines = (deps: ProtocolDeps) => createLines(createSerialMedium(deps), deps.clock)

/** Modbus TCP. */
export const createModbusProtocol = (deps: ProtocolDeps): Protocol => createProtocolOn(createTcpLines(deps))

/** Modbus RTU through a gateway that passes frames on as they are. */
export const createRtuOverTcpProtocol = (deps: ProtocolDeps): Protocol =>
  createProtocolOn(createLines(createRtuOverTcpMedium(deps), deps.clock))

/** Modbus RTU on a serial port. */
export const createSerialProtocol = (deps: ProtocolDeps): Protocol => createProtocolOn(createSerialLines(deps))

/** The protocol of the Modbus family that is spoken on these lines. */
export function createProtocolOn<Address>(lines: Lines<Address>): Protocol {
  const { medium } = lines
  return {
    check: (connection) => parseConfig(connection, medium).problems,
    targets: (connection) => targetsOf(parseConfig(connection, medium).config, medium),
    connect(connection, listener) {
      const { config, problems } = parseConfig(connection, medium)
      refuseProblems(problems)
      const { address, settings } = config
      const ids = connection.datapoints.map((datapoint) => datapoint.id)
      const { name } = medium.transport(address)
      const join = () => lines.join(address, { unitId: settings.unitId, timing: settings, listener })
      return createDriver({ ...config, name }, ids, join)
    },
    discover: (settings, { signal }) => discoverUnits(settings, lines, signal),
  }
}

interface DriverConfig extends Pick<ModbusConfig<unknown>, 'settings' | 'points'> {
  /** Names the endpoint in messages. */
  name: string
}

/** @param ids of the config's points, in the same order */
function createDriver(
  { name, settings, points }: DriverConfig,
  ids: readonly string[],
  join: () => UnitSession,
): Driver {
  const pointsById = new Map(points.map((point, index) => [ids[index] ?? '', point]))
  const readableById = new Map([...pointsById].map(([id, point]) => [id, { ...point, read: readerOf(point) }]))
  const memory: ReadMemory = { holes: createHoles(), recent: undefined, probes: 0, returns: 0 }
  let polled: ReadPlan | undefined
  const session = createDriverSession(name, join)

  function writablePoint(pointId: string): ModbusPoint {
    const point = pointsById.get(pointId)
    if (!point) throw new Failure('rejected', `${pointId} is not a datapoint of this connection`)
    if (!point.writable) throw new Failure('rejected', `${point.name} can only be read`)
    return point
  }

  /** Reuses the plan of the last poll, since polls read the same points each time. */
  function planFor(pointIds: readonly string[], urgent: boolean): ReadPlan {
    if (polled && isUpToDate(polled, pointIds, memory.holes)) return polled
    const plan = createReadPlan(pointIds, readableById, settings, memory.holes)
    if (!urgent) polled = plan
    return plan
  }

  return {
    async open(signal) {
      memory.holes.forgetIllegalGaps()
      await session.open(signal)
    },

    async read(pointIds, { urgent = false } = {}) {
      const taken = session.get()
      return executePlan(new PlanRun(planFor(pointIds, urgent), memory, taken, urgent))
    },

    nearest: (pointId, raw) => nearestRaw(writablePoint(pointId).type, raw),

    async write(pointId, value, { release = false, stillWanted } = {}) {
      const point = writablePoint(pointId)
      const reply = await session.get().write(writeRequest(point, value), { release, stillWanted })
      // An acknowledged write is still being carried out, so that only a reading can confirm it.
      if (!('exception' in reply) || reply.exception === ACKNOWLEDGE) return
      const kind = isTemporary(reply.exception) ? 'offline' : 'rejected'
      throw new Failure(kind, `${point.name}: ${exceptionText(reply.exception)}`)
    },

    async close() {
      session.close()
    },
  }
}

function writeRequest(point: ModbusPoint, value: Writable): WriteRequest {
  return {
    functionCode: point.writeFunction,
    address: point.register,
    count: point.width,
    payload: writePayload(point, value),
  }
}

function writePayload(point: ModbusPoint, value: Writable): Uint8Array {
  const isCoil = point.writeFunction === 5 || point.writeFunction === 15
  if (typeof value === 'object') {
    if (isCoil) throw new Failure('rejected', `${point.name} is a coil: it has no image`)
    return decodeImage(point.type, value.image)
  }
  switch (point.writeFunction) {
    case 5:
      return Uint8Array.of(encodeBit(value) ? 0xff : 0, 0)
    case 15:
      return Uint8Array.of(encodeBit(value) ? 1 : 0)
    case 6:
    case 16:
      return encodeRegisters(point, value)
  }
}
