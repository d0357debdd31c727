import { Failure } from '@plantroom/contract/failure'
import type { Driver, DriverListener, Protocol, ProtocolDeps, Reading } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { refuseProblems } from '../fields.ts'
import { type BacnetConfig, type BacnetPoint, parseConfig } from './config.ts'
import { OtherDevice, RANK, type Rank } from './device.ts'
import { discoverDevices } from './discover.ts'
import { createPorts, type Ports } from './ports.ts'
import { openSession, type Session } from './session.ts'
import { targetsOf } from './targets.ts'
import { encodePresentValue, nearestValue } from './values.ts'

interface DriverDeps extends ProtocolDeps {
  listener: DriverListener | undefined
  ports: Ports
  nextProcessId: () => number
}

/** BACnet/IP. All connections of one protocol object that send from the same port share it. */
export function createBacnetProtocol(deps: ProtocolDeps): Protocol {
  const ports = createPorts(deps.clock)
  let lastProcessId = 0
  const nextProcessId = () => {
    lastProcessId += 1
    return lastProcessId
  }

  return {
    check: (connection) => parseConfig(connection).problems,
    targets: (connection) => targetsOf(parseConfig(connection).config),
    connect(connection, listener) {
      const { config, problems } = parseConfig(connection)
      refuseProblems(problems)
      const ids = connection.datapoints.map((datapoint) => datapoint.id)
      return createDriver(config, ids, { ...deps, listener, ports, nextProcessId })
    },
    discover: (settings, { signal }) => discoverDevices(settings, { ...deps, ports }, signal),
  }
}

/** A device whose points are all announced is asked this often whether it is still there. */
const CHECK_MS = 10_000

/** @param ids of the config's points, in the same order */
function createDriver(config: BacnetConfig, ids: readonly string[], deps: DriverDeps): Driver {
  const { settings, points } = config
  const pointsById = new Map(points.map((point, index) => [ids[index], point]))
  const lastReleases = new Map<BacnetPoint, symbol>()
  const { clock, lookup, listener, ports, nextProcessId } = deps
  let opening = new AbortController()
  let session: Session | undefined
  let askedAt = 0

  function openedSession(): Session {
    if (session) return session
    const where = settings.host === '' ? `device ${settings.deviceInstance}` : excerpt(settings.host)
    throw new Failure('offline', `the connection to ${where} is not open`)
  }

  function writablePoint(pointId: string): BacnetPoint {
    const point = pointsById.get(pointId)
    if (!point) throw new Failure('rejected', `${excerpt(pointId)} is not a datapoint of this connection`)
    if (!point.writable) throw new Failure('rejected', `${point.name} can only be read`)
    return point
  }

  function close(): void {
    session = undefined
    opening.abort()
  }

  /** Reads points that the device does not announce. */
  async function ask({ reader, cov }: Session, asked: readonly BacnetPoint[], rank: Rank) {
    const note = cov?.beginRead()
    try {
      const isDue = clock.monotonic() - askedAt >= CHECK_MS
      if (asked.length === 0 && isDue) await reader.check()
      const readings = await reader.read(asked, rank)
      if (asked.length > 0 || isDue) askedAt = clock.monotonic()
      for (const [point, reading] of readings) note?.(point, reading)
      return readings
    } catch (error) {
      // Nothing may be written to it.
      if (error instanceof OtherDevice) close()
      throw error
    }
  }

  return {
    async open(signal) {
      close()
      const mine = new AbortController()
      opening = mine
      const abort = () => mine.abort()
      if (signal.aborted) abort()
      signal.addEventListener('abort', abort)
      try {
        session = await openSession(
          config,
          { clock, lookup, listener, ports, nextProcessId, lastReleases },
          mine.signal,
        )
      } catch (error) {
        mine.abort()
        throw error
      } finally {
        signal.removeEventListener('abort', abort)
      }
    },

    async read(pointIds, { urgent = false } = {}) {
      const used = openedSession()
      const asked = pointIds.map((id) => pointsById.get(id))
      const known = new Set(asked.filter((point) => point !== undefined))
      const announced = new Map<BacnetPoint, Reading>()
      for (const point of urgent ? [] : known) {
        const current = used.cov?.current(point)
        if (current) announced.set(point, current)
      }
      const unknown = [...known].filter((point) => !announced.has(point))
      const found = await ask(used, unknown, urgent ? RANK.urgent : RANK.poll)
      if (!urgent) await used.cov?.maintain()
      return asked.map((point, index): Reading => {
        if (!point) return { error: `${excerpt(pointIds[index] ?? '')} is not a datapoint of this connection` }
        return announced.get(point) ?? found.get(point) ?? { error: 'not read' }
      })
    },

    nearest: (pointId, raw) => nearestValue(writablePoint(pointId), raw),

    async write(pointId, value, options = {}) {
      const point = writablePoint(pointId)
      const { commands, cov } = openedSession()
      await commands.write(point, encodePresentValue(point, value), options, () => cov?.noteWrite(point))
      cov?.noteWrite(point)
    },

    async relinquish(pointId, { stillWanted = () => true } = {}) {
      const point = writablePoint(pointId)
      const { commands, cov } = openedSession()
      const released = await commands.release(point, stillWanted, () => cov?.noteWrite(point))
      cov?.noteWrite(point)
      return released.kind === 'released'
    },

    async inCharge(pointId) {
      return openedSession().commands.inCharge(writablePoint(pointId))
    },

    async close() {
      close()
    },
  }
}
