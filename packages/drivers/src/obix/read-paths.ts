import { sameObjectKey } from './address.ts'
import type { Ask } from './client.ts'
import { encodeBatchIn } from './codec.ts'
import { Unanswered } from './exchange.ts'
import { planRequests } from './plan.ts'
import type { SilentPaths } from './silent-paths.ts'
import type { ObixObject } from './xml.ts'

/** The object at each path, or why it is not known. */
export type Found = ReadonlyMap<string, ObixObject | { error: string }>

export interface Batch {
  path: string
  lobby: URL
}

export interface ReadDeps {
  ask: Ask
  /** `undefined`: the server has no `batch` operation, or it is not to be used. */
  batch: Batch | undefined
  silent: SilentPaths
  /** The same for operations of the server, whose silence says nothing about a point. */
  silentOperations: SilentPaths
  /** Rejects with this failure when the server answers nothing else either. */
  insistOnLife(failure: Unanswered): Promise<void>
}

/**
 * How many questions of one read may stay unanswered while the server answers others. The paths that are left then are
 * read the next time, without those that did not answer.
 */
const MOST_UNANSWERED = 3
const LEFT_OUT = { error: 'not read: the server did not answer for other points' }

/**
 * Reads each path, by batch where the server has one. A path that alone does not answer is an error and is remembered
 * as silent. Rejects when the server answers nothing any more.
 */
export async function readPaths(paths: readonly string[], deps: ReadDeps): Promise<Found> {
  const { batch, silent, silentOperations, ask, insistOnLife } = deps
  const found = new Map<string, ObixObject | { error: string }>()
  let unanswered = 0

  async function unlessSilent<Result>(asking: Promise<Result>): Promise<Result | Unanswered> {
    try {
      return await asking
    } catch (failure) {
      if (!(failure instanceof Unanswered)) throw failure
      unanswered += 1
      await insistOnLife(failure)
      return failure
    }
  }

  /** False where no answer came. */
  async function readOne(path: string): Promise<boolean> {
    if (unanswered >= MOST_UNANSWERED) {
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

  /** False when each path has to be read alone. */
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
    const useBatch = some.length > 1 && unanswered < MOST_UNANSWERED && batch && silentOperations.isDue(batch.path)
    // A batch that the server refuses or answers with nonsense says nothing about any one point.
    if (useBatch && (await readBatch(some, batch))) continue
    for (const path of some) await readOne(path)
  }
  return found
}

/** `undefined` when the answer is not one object for each path, in order. */
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
