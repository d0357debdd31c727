import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { Driver, DriverListener, Protocol, Raw } from '../driver.ts'
import { addressText } from './client.ts'
import { encodeBit, encodeRegisters, nearestRaw } from './codec.ts'
import { type ModbusConfig, type ModbusPoint, parseConfig } from './config.ts'
import { type Course, leadsTo, planCourse } from './course.ts'
import { Endpoint, type Seat } from './endpoint.ts'
import { exceptionText, type WriteRequest } from './frame.ts'
import { createHoles } from './holes.ts'
import { readCourse } from './read-course.ts'

/** Modbus TCP. All connections made by one protocol object share one socket per host and port. */
export function createModbusProtocol({ clock }: { clock: Clock }): Protocol {
  const endpoints = new Map<string, Endpoint>()
  let lastTransactionId = 0
  const nextTransactionId = () => {
    lastTransactionId = (lastTransactionId + 1) & 0xffff
    return lastTransactionId
  }

  function join(host: string, port: number, listener: DriverListener | undefined): Seat {
    const key = addressText({ host, port })
    let endpoint = endpoints.get(key)
    if (!endpoint) {
      endpoint = new Endpoint({ host, port }, { clock, nextTransactionId }, () => endpoints.delete(key))
      endpoints.set(key, endpoint)
    }
    return endpoint.join(listener)
  }

  return {
    check: (connection) => parseConfig(connection).problems,
    connect(connection, listener) {
      const { config, problems } = parseConfig(connection)
      if (problems.length > 0) {
        throw new Failure('invalid', problems.map(({ path, message }) => `${path}: ${message}`).join('; '))
      }
      const ids = connection.datapoints.map((datapoint) => datapoint.id)
      return createDriver(config, ids, () => join(config.settings.host, config.settings.port, listener))
    },
  }
}

/** @param ids of the config's points, in the same order */
function createDriver({ settings, points }: ModbusConfig, ids: readonly string[], join: () => Seat): Driver {
  const pointsById = new Map(points.map((point, index) => [ids[index] ?? '', point]))
  const holes = createHoles()
  let polled: Course | undefined
  let seat: Seat | undefined

  function openSeat(): Seat {
    if (!seat) throw new Failure('offline', `the connection to ${addressText(settings)} is not open`)
    return seat
  }

  function writablePoint(pointId: string): ModbusPoint {
    const point = pointsById.get(pointId)
    if (!point) throw new Failure('rejected', `${pointId} is not a datapoint of this connection`)
    if (!point.writable) throw new Failure('rejected', `${point.name} can only be read`)
    return point
  }

  /** A poll asks for the same again and again. */
  function courseOf(pointIds: readonly string[], urgent: boolean): Course {
    if (polled && leadsTo(polled, pointIds, holes)) return polled
    const course = planCourse(pointIds, pointsById, settings, holes)
    if (!urgent) polled = course
    return course
  }

  function leave() {
    seat?.leave()
    seat = undefined
  }

  return {
    async open(signal) {
      seat ??= join()
      const taken = seat
      // What was refused only together may have been refused by equipment that was still starting.
      holes.forgetGaps()
      try {
        await unlessAborted(taken.connect(settings.unitId, settings), signal)
      } catch (error) {
        if (seat === taken) leave()
        throw error
      }
    },

    async read(pointIds, { urgent = false } = {}) {
      const { request } = openSeat()
      return readCourse(courseOf(pointIds, urgent), holes, (question) =>
        request(settings.unitId, question, settings, urgent),
      )
    },

    nearest: (pointId, raw) => nearestRaw(writablePoint(pointId).type, raw),

    async write(pointId, raw) {
      const point = writablePoint(pointId)
      const reply = await openSeat().request(settings.unitId, writeRequest(point, raw), settings, true)
      if ('exception' in reply) throw new Failure('rejected', `${point.name}: ${exceptionText(reply.exception)}`)
    },

    async close() {
      leave()
    },
  }
}

function writeRequest(point: ModbusPoint, raw: Raw): WriteRequest {
  return {
    functionCode: point.writeFunction,
    address: point.register,
    count: point.width,
    payload: writePayload(point, raw),
  }
}

function writePayload(point: ModbusPoint, raw: Raw): Uint8Array {
  switch (point.writeFunction) {
    case 5:
      return Uint8Array.of(encodeBit(raw) ? 0xff : 0, 0)
    case 15:
      return Uint8Array.of(encodeBit(raw) ? 1 : 0)
    case 6:
    case 16:
      return encodeRegisters(point, raw)
  }
}

function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Failure('offline', 'opening the connection was called off'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
