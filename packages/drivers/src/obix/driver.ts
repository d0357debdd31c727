import { Failure } from '@plantroom/contract/failure'
import type { Driver, Protocol, ProtocolDeps, Reading } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { refuseProblems } from '../fields.ts'
import { readCa } from '../read-ca.ts'
import { createSilentAddresses } from '../silent-addresses.ts'
import { createClient, hideSecrets } from './client.ts'
import { decodeValue, nearestRaw, typeOf } from './codec.ts'
import { type ObixConfig, type ObixPoint, type ObixSettings, parseConfig, type ValueType } from './config.ts'
import type { LineDeps } from './http-line.ts'
import { withImage } from './image.ts'
import { openSession, type Session, type SessionMemory } from './session.ts'
import { targetsOf } from './targets.ts'
import { createWriter } from './writer.ts'
import type { ObixObject } from './xml.ts'

/** oBIX over HTTP, with XML. */
export function createObixProtocol(deps: ProtocolDeps): Protocol {
  return {
    check: (connection) => parseConfig(connection).problems,
    targets: (connection) => targetsOf(parseConfig(connection).config),
    connect(connection, listener) {
      const { config, problems } = parseConfig(connection)
      refuseProblems(problems)
      const ids = connection.datapoints.map((datapoint) => datapoint.id)
      return createDriver(config, ids, { ...deps, listener })
    },
  }
}

/** @param ids of the config's points, in the same order */
function createDriver({ settings, points }: ObixConfig, ids: readonly string[], deps: LineDeps): Driver {
  const pointsById = new Map(points.map((point, index) => [ids[index], point]))
  const server = new URL(settings.url)
  /** The types that the server has shown, by path. */
  const shownTypes = new Map<string, ValueType>()
  const memory = { silent: createSilentAddresses(deps.clock), silentOperations: createSilentAddresses(deps.clock) }
  const writer = createWriter(server)
  const show = hideSecrets(settings.credentials)
  let opening = new AbortController()
  let session: Session | undefined

  function openedSession(): Session {
    if (!session) throw new Failure('offline', `the connection to ${excerpt(server.host)} is not open`)
    return session
  }

  function writablePoint(pointId: string): ObixPoint {
    const point = pointsById.get(pointId)
    if (!point) throw new Failure('rejected', `${excerpt(pointId)} is not a datapoint of this connection`)
    if (!point.writable) throw new Failure('rejected', `${point.name} can only be read`)
    return point
  }

  const writtenType = ({ type, path }: ObixPoint): ValueType => type ?? shownTypes.get(path) ?? 'real'

  function toReading(point: ObixPoint, object: ObixObject): Reading {
    const type = typeOf(object)
    if (type) shownTypes.set(point.path, type)
    const reading = decodeValue(object, show)
    return point.writable ? withImage(reading, object, writtenType(point)) : reading
  }

  function close(): void {
    opening.abort()
    session?.close()
    session = undefined
  }

  return {
    async open(signal) {
      close()
      opening = new AbortController()
      const closed = opening.signal
      const opened = await openUnlessAborted(settings, memory, deps, AbortSignal.any([signal, closed]))
      if (closed.aborted) {
        opened.close()
        throw cancelled()
      }
      session = opened
    },

    async read(pointIds, { urgent = false } = {}) {
      const used = openedSession()
      const asked = pointIds.map((id) => pointsById.get(id))
      const paths = asked.flatMap((point) => (point ? [point.path] : []))
      const found = await used.read([...new Set(paths)], urgent)
      return asked.map((point, index): Reading => {
        if (!point) return { error: `${excerpt(pointIds[index] ?? '')} is not a datapoint of this connection` }
        const object = found.get(point.path) ?? { error: 'not read' }
        return 'error' in object ? object : toReading(point, object)
      })
    },

    nearest: (pointId, raw) => nearestRaw(writtenType(writablePoint(pointId)), raw),

    async write(pointId, value, options = {}) {
      const point = writablePoint(pointId)
      const used = openedSession()
      try {
        await writer.write(point, value, writtenType(point), used.ask, options)
      } finally {
        used.written(point.path)
      }
      memory.silent.noteAnswer(point.path)
    },

    async close() {
      close()
    },
  }
}

async function openUnlessAborted(
  settings: ObixSettings,
  memory: SessionMemory,
  deps: LineDeps,
  signal: AbortSignal,
): Promise<Session> {
  const trusted = settings.ca === undefined ? undefined : await readCa(settings.ca)
  const client = createClient(settings, trusted, deps)
  const abort = () => client.close()
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await openSession(settings, client, memory)
  } catch (error) {
    client.close()
    throw signal.aborted ? cancelled() : error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const cancelled = () => new Failure('offline', 'opening the connection was cancelled')
