import { Failure } from '@plantroom/contract/failure'
import type { Writable, WriteOptions } from '../driver.ts'
import { homeOf, pathOn } from './address.ts'
import { type Answer, type Ask, RANK, type Request } from './client.ts'
import { childNamed, type Element, encodeElement, encodeWritePointIn, toElement } from './codec.ts'
import type { ObixPoint, ValueType } from './config.ts'
import { Unanswered } from './http-line.ts'
import { elementOfImage } from './image.ts'
import type { ObixObject } from './xml.ts'

/** Sends values to the points of one server. */
export interface Writer {
  /**
   * Rejects with a `Failure`: `rejected` if the value does not fit or the server refuses it, `offline` if there is no
   * clear answer, `conflict` if the value is no longer wanted.
   */
  write(point: ObixPoint, value: Writable, type: ValueType, ask: Ask, options: WriteOptions): Promise<void>
}

interface WriteOperation {
  path: string
  encode(element: Element): string
}

const isSet = ({ tag, attributes }: ObixObject) => tag === 'op' && attributes.name === 'set'

export function createWriter(server: URL): Writer {
  /** The operations of points that are not written with PUT, by path. */
  const operations = new Map<string, WriteOperation>()
  /** Points whose last write got no answer: they go behind others of the same rank. */
  const unanswered = new Set<string>()
  /** The number of each point's last release, by path. */
  const releases = new Map<string, number>()
  let lastNumber = 0

  /** Returns the point's write operation, which is looked up once; by default, `writePoint` below the point. */
  async function lookUp({ name, path }: ObixPoint, ask: (request: Request) => Promise<Answer>) {
    const known = operations.get(path)
    if (known !== undefined) return known
    const answer = await ask({ method: 'GET', path })
    const object = answer.kind === 'object' ? answer.object : undefined
    const writePoint = object && childNamed(object, 'writePoint')
    // A Niagara point that is not exported for oBIX has a `set` operation, which takes the bare value.
    const set = writePoint ? undefined : object?.children.find(isSet)
    const operation = set ? 'set' : 'writePoint'
    const href = (writePoint ?? set)?.attributes.href ?? operation
    const found = pathOn(href, homeOf(object?.attributes.href, new URL(path, server)))
    if (found === undefined) {
      throw new Failure('rejected', `${name}: the server has its ${operation} on another server, which is not used`)
    }
    const operationFound: WriteOperation = { path: found, encode: set ? encodeElement : encodeWritePointIn }
    operations.set(path, operationFound)
    return operationFound
  }

  async function send(point: ObixPoint, element: Element, ask: (request: Request) => Promise<Answer>): Promise<Answer> {
    if (point.write === 'put') return ask({ method: 'PUT', path: point.path, body: encodeElement(element) })
    const { path, encode } = await lookUp(point, ask)
    return ask({ method: 'POST', path, body: encode(element) })
  }

  return {
    async write(point, value, type, ask, { release = false, stillWanted = () => true }) {
      const element = typeof value === 'object' ? elementOfImage(value) : toElement(type, value)
      lastNumber += 1
      const number = lastNumber
      if (release) releases.set(point.path, number)
      // A setpoint that a release of the same point has overtaken would undo the release.
      const isCurrent = () => (releases.get(point.path) ?? 0) <= number && stillWanted()
      const rank = (release ? RANK.release : RANK.setpoint) + (unanswered.has(point.path) ? 1 : 0)
      let answer: Answer
      try {
        answer = await send(point, element, (request) =>
          ask({ ...request, rank, key: point.path, stillWanted: isCurrent }),
        )
      } catch (failure) {
        if (failure instanceof Unanswered) unanswered.add(point.path)
        throw failure
      }
      unanswered.delete(point.path)
      if (!('reason' in answer)) return
      // The cached operation may be outdated.
      operations.delete(point.path)
      throw new Failure(answer.kind === 'refused' ? 'rejected' : 'offline', `${point.name}: ${answer.reason}`)
    },
  }
}
