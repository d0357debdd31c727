import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { Driver, Protocol, Raw, Reading } from '../driver.ts'
import { homeOf, pathOn } from './address.ts'
import { type Answer, createClient } from './client.ts'
import { childNamed, decodeValue, encodeValue, encodeWritePointIn, nearestRaw, typeOf } from './codec.ts'
import { type ObixConfig, type ObixPoint, type ObixSettings, parseConfig, type ValueType } from './config.ts'
import type { LineDeps } from './exchange.ts'
import { concealing } from './secrets.ts'
import { openSession, type Session } from './session.ts'
import type { ObixObject } from './xml.ts'

/** oBIX over HTTP, with XML. */
export function createObixProtocol(deps: { clock: Clock }): Protocol {
  return {
    check: (connection) => parseConfig(connection).problems,
    connect(connection, listener) {
      const { config, problems } = parseConfig(connection)
      if (problems.length > 0) {
        throw new Failure('invalid', problems.map(({ path, message }) => `${path}: ${message}`).join('; '))
      }
      const ids = connection.datapoints.map((datapoint) => datapoint.id)
      return createDriver(config, ids, { ...deps, listener })
    },
  }
}

interface WriteOperation {
  path: string
  encode(type: ValueType, raw: Raw): string
}

const isSet = ({ tag, attributes }: ObixObject) => tag === 'op' && attributes.name === 'set'

/** @param ids of the config's points, in the same order */
function createDriver({ settings, points }: ObixConfig, ids: readonly string[], deps: LineDeps): Driver {
  const pointsById = new Map(points.map((point, index) => [ids[index], point]))
  const server = new URL(settings.url)
  /** What the server has shown its objects to be, by path. */
  const shownTypes = new Map<string, ValueType>()
  /** What they are written with, by path. */
  const writeOperations = new Map<string, WriteOperation>()
  const conceal = concealing(settings.credentials)
  let opening = new AbortController()
  let session: Session | undefined

  function openedSession(): Session {
    if (!session) throw new Failure('offline', `the connection to ${server.host} is not open`)
    return session
  }

  function writablePoint(pointId: string): ObixPoint {
    const point = pointsById.get(pointId)
    if (!point) throw new Failure('rejected', `${pointId} is not a datapoint of this connection`)
    if (!point.writable) throw new Failure('rejected', `${point.name} can only be read`)
    return point
  }

  const writtenType = ({ type, path }: ObixPoint): ValueType => type ?? shownTypes.get(path) ?? 'real'

  function toReading(point: ObixPoint, object: ObixObject): Reading {
    const type = typeOf(object)
    if (type) shownTypes.set(point.path, type)
    const reading = decodeValue(object)
    return 'error' in reading ? { error: conceal(reading.error) } : reading
  }

  /** As the point itself says, which is asked once; where it says nothing, a `writePoint` below it. */
  async function writeOperation({ name, path }: ObixPoint, { ask }: Session): Promise<WriteOperation> {
    const known = writeOperations.get(path)
    if (known !== undefined) return known
    const answer = await ask({ method: 'GET', path })
    const object = answer.kind === 'object' ? answer.object : undefined
    const writePoint = object && childNamed(object, 'writePoint')
    // What Niagara does not export for oBIX can still be written: it has a `set`, which takes the value alone.
    const set = writePoint ? undefined : object?.children.find(isSet)
    const operation = set ? 'set' : 'writePoint'
    const href = (writePoint ?? set)?.attributes.href ?? operation
    const found = pathOn(href, homeOf(object?.attributes.href, new URL(path, server)))
    if (found === undefined) {
      throw new Failure('rejected', `${name}: the server has its ${operation} at another address, which is not used`)
    }
    const learnt = { path: found, encode: set ? encodeValue : encodeWritePointIn }
    writeOperations.set(path, learnt)
    return learnt
  }

  async function send(point: ObixPoint, raw: Raw, used: Session): Promise<Answer> {
    const type = writtenType(point)
    if (point.write === 'put') return used.ask({ method: 'PUT', path: point.path, body: encodeValue(type, raw) })
    // What does not fit is refused before anything is asked.
    encodeValue(type, raw)
    const { path, encode } = await writeOperation(point, used)
    return used.ask({ method: 'POST', path, body: encode(type, raw) })
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
      session = await openUnlessAborted(settings, deps, AbortSignal.any([signal, opening.signal]))
    },

    async read(pointIds, { urgent = false } = {}) {
      const used = openedSession()
      const asked = pointIds.map((id) => pointsById.get(id))
      const readable = asked.filter((point): point is ObixPoint => point?.readable === true)
      const found = await used.read([...new Set(readable.map(({ path }) => path))], urgent)
      return asked.map((point, index): Reading => {
        if (!point) return { error: `${pointIds[index]} is not a datapoint of this connection` }
        if (!point.readable) return { error: `${point.name} can only be written` }
        const object = found.get(point.path) ?? { error: 'not read' }
        return 'error' in object ? object : toReading(point, object)
      })
    },

    nearest: (pointId, raw) => nearestRaw(writtenType(writablePoint(pointId)), raw),

    async write(pointId, raw) {
      const point = writablePoint(pointId)
      const answer = await send(point, raw, openedSession())
      if (!('reason' in answer)) return
      // What was learnt about a point may be what is wrong.
      writeOperations.delete(point.path)
      throw new Failure(answer.kind === 'refused' ? 'rejected' : 'offline', `${point.name}: ${answer.reason}`)
    },

    async close() {
      close()
    },
  }
}

async function openUnlessAborted(settings: ObixSettings, deps: LineDeps, signal: AbortSignal): Promise<Session> {
  const trusted = settings.ca === undefined ? undefined : await readCertificates(settings.ca)
  const client = createClient(settings, trusted, deps)
  const abort = () => client.close()
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await openSession(settings, client)
  } catch (error) {
    client.close()
    throw signal.aborted ? new Failure('offline', 'opening the connection was called off') : error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function readCertificates(file: string): Promise<string> {
  try {
    const text = await readFile(file, 'utf8')
    // What holds none is found here, and not as a server that cannot be trusted.
    new X509Certificate(text)
    return text
  } catch (error) {
    throw new Failure('offline', `the certificates in settings.ca cannot be read: ${(error as Error).message}`)
  }
}
