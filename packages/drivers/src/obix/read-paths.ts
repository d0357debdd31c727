import type { SilentAddresses } from '../silent-addresses.ts'
import { sameObjectKey } from './address.ts'
import type { Ask } from './client.ts'
import { encodeBatchIn } from './codec.ts'
import { Unanswered } from './http-line.ts'
import type { ObixObject } from './xml.ts'

/** The object at each path, or the reason why there is none. */
export type Found = ReadonlyMap<string, ObixObject | { error: string }>

export interface Batch {
  path: string
  lobby: URL
}

export interface ReadDeps {
  ask: Ask
  /** `undefined` if the server has no `batch` operation, or if it must not be used. */
  batch: Batch | undefined
  silent: SilentAddresses
  /** Like `silent`, for operations of the server, whose silence says nothing about a point. */
  silentOperations: SilentAddresses
  /** Rejects with this failure if the server does not answer anything else either. */
  confirmAlive(failure: Unanswered): Promise<void>
}

/**
 * The number of requests of one read that may get no answer while the server answers others. The remaining paths are
 * read the next time, without the silent ones.
 */
const MAX_UNANSWERED = 3
const LEFT_OUT = { error: 'not read: the server did not answer for other points' }

/**
 * Reads each path, in batches if the server has them. A path that alone does not answer is an error and is remembered as
 * silent. Rejects when the server no longer answers at all.
 */
export async function readPaths(paths: readonly string[], deps: ReadDeps): Promise<Found> {
  const { batch, silent, silentOperations, ask, confirmAlive } = deps
  const found = new Map<string, ObixObject | { error: string }>()
  let unanswered = 0

  async function unlessSilent<Result>(asking: Promise<Result>): Promise<Result | Unanswered> {
    try {
      return await asking
    } catch (failure) {
      if (!(failure instanceof Unanswered)) throw failure
      unanswered += 1
      await confirmAlive(failure)
      return failure
    }
  }

  /** Returns false if no answer came. */
  async function readOne(path: string): Promise<boolean> {
    if (unanswered >= MAX_UNANSWERED) {
      found.set(path, LEFT_OUT)
      return false
    }
    const answer = await unlessSilent(ask({ method: 'GET', path }))
    if (answer instanceof Unanswered) {
      silent.noteSilent(path, answer.message)
      found.set(path, { error: answer.message })
      return false
    }
    silent.noteAnswer(path)
    if (answer.kind === 'object') found.set(path, answer.object)
    else found.set(path, { error: answer.kind === 'empty' ? 'the server sent nothing' : answer.reason })
    return true
  }

  /** Returns false if each path must be read alone. */
  async function readBatch(some: readonly string[], used: Batch): Promise<boolean> {
    const answer = await unlessSilent(readTogether(some, used, ask))
    if (answer instanceof Unanswered) {
      let isBatchToBlame = true
      for (const path of some) if (!(await readOne(path))) isBatchToBlame = false
      if (isBatchToBlame) silentOperations.noteSilent(used.path, answer.message)
      return true
    }
    silentOperations.noteAnswer(used.path)
    for (const [index, object] of answer?.entries() ?? []) found.set(some[index] as string, object)
    return answer !== undefined
  }

  for (const some of planRequests(paths)) {
    const useBatch = some.length > 1 && unanswered < MAX_UNANSWERED && batch && silentOperations.isDue(batch.path)
    // A batch that the server refuses or answers with nonsense says nothing about a single point.
    if (useBatch && (await readBatch(some, batch))) continue
    for (const path of some) await readOne(path)
  }
  return found
}

/** Returns `undefined` if the answer is not one object per path, in order. */
async function readTogether(
  paths: readonly string[],
  { path, lobby }: Batch,
  ask: Ask,
): Promise<readonly ObixObject[] | undefined> {
  const answer = await ask({ method: 'POST', path, body: encodeBatchIn(paths) })
  if (answer.kind !== 'object' || answer.object.tag !== 'list') return undefined
  const { children } = answer.object
  if (children.length !== paths.length) return undefined
  const order = new Map(paths.map((each, index) => [sameObjectKey(each, lobby), index]))
  const inOrder = children.every(({ attributes: { href } }, index) => {
    const place = href === undefined ? undefined : order.get(sameObjectKey(href, lobby))
    return place === undefined || place === index
  })
  return inOrder ? children : undefined
}

/** The number of points in one request: the answer stays within its limit even if each object is large. */
const MAX_IN_ONE_REQUEST = 50

/** Distributes paths over requests, each path once, in order. */
export function planRequests(paths: Iterable<string>): readonly (readonly string[])[] {
  const distinct = [...new Set(paths)]
  const requests: string[][] = []
  for (let start = 0; start < distinct.length; start += MAX_IN_ONE_REQUEST) {
    requests.push(distinct.slice(start, start + MAX_IN_ONE_REQUEST))
  }
  return requests
}
