import { Failure } from '@plantroom/contract/failure'
import { sameObjectKey } from './address.ts'
import type { Ask } from './client.ts'
import { encodeBatchIn } from './codec.ts'
import { planRequests } from './plan.ts'
import type { ObixObject } from './xml.ts'

/** What stands at each path, or why that is not known. */
export type Found = ReadonlyMap<string, ObixObject | { error: string }>

/** How a server is read that has this `batch` operation, or none. Rejects when it does not answer. */
export async function readPaths(paths: readonly string[], batch: Batch | undefined, ask: Ask): Promise<Found> {
  const found = new Map<string, ObixObject | { error: string }>()
  for (const some of planRequests(paths)) {
    const objects = batch && some.length > 1 ? await readTogether(some, batch, ask) : undefined
    // A batch that the server refuses or answers with nonsense says nothing about any one point.
    if (!objects) await readOneByOne(some, ask, found)
    else for (const [index, object] of objects.entries()) found.set(some[index] as string, object)
  }
  return found
}

export interface Batch {
  path: string
  lobby: URL
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

/** One point that makes the server stall costs its own reading. Two in a row, or nothing but such, and the link is lost. */
async function readOneByOne(
  paths: readonly string[],
  ask: Ask,
  found: Map<string, ObixObject | { error: string }>,
): Promise<void> {
  let answered = false
  let lost: Failure | undefined
  for (const path of paths) {
    try {
      const answer = await ask({ method: 'GET', path })
      if (answer.kind === 'object') found.set(path, answer.object)
      else found.set(path, { error: answer.kind === 'empty' ? 'the server sent nothing' : answer.reason })
      answered = true
      lost = undefined
    } catch (failure) {
      if (!(failure instanceof Failure) || lost) throw failure
      lost = failure
      found.set(path, { error: failure.message })
    }
  }
  if (!answered && lost) throw lost
}
