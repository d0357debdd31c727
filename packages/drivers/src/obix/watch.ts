import { Failure } from '@plantroom/contract/failure'
import { excerpt } from '../excerpt.ts'
import { createQueue } from '../queue.ts'
import { folderOf, pathOn, resolveHref, sameObjectKey } from './address.ts'
import type { Ask } from './client.ts'
import { childNamed, encodeWatchIn, NOTHING } from './codec.ts'
import { planRequests } from './plan.ts'
import type { ObixObject } from './xml.ts'

/** A server's watch: each poll returns what has changed since the last one. */
export interface Watch {
  /**
   * Returns the objects as they are now. Makes a new watch when the server has dropped the last one, for example at the
   * end of its lease. `undefined` when the server refuses to make one.
   */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, ObixObject> | undefined>
}

/** The watch at the server, and what its polls have returned so far. */
interface Held {
  add: string
  pollChanges: string
  pollRefresh: string
  /** By `sameObjectKey`; `undefined` for one that was added and not returned yet. */
  objects: Map<string, ObixObject | undefined>
  polls: number
}

// A change that was lost on its way would otherwise never be seen.
const POLLS_TO_A_REFRESH = 30

/**
 * @param make the path of the operation that makes watches
 * @param lobby the base of relative hrefs, where an answer does not give one
 */
export function createWatch(make: string, lobby: URL, ask: Ask): Watch {
  let held: Held | undefined

  async function invoke(path: string, body: string, pathAgain?: string): Promise<ObixObject | undefined> {
    const answer = await ask({ method: 'POST', path, pathAgain, body })
    return answer.kind === 'object' ? answer.object : undefined
  }

  async function makeWatch(): Promise<Held | undefined> {
    const watch = await invoke(make, NOTHING)
    if (!watch) return undefined
    const home = folderOf(resolveHref(watch.attributes.href ?? '', lobby) ?? lobby)
    const operation = (name: string) => {
      const address = resolveHref(childNamed(watch, name)?.attributes.href ?? name, home)
      const path = address && pathOn(address.href, lobby)
      if (path === undefined) {
        throw new Failure('offline', `${excerpt(lobby.host)} gives a watch at another address, which is not used`)
      }
      return path
    }
    const [add, pollChanges, pollRefresh] = [operation('add'), operation('pollChanges'), operation('pollRefresh')]
    return { add, pollChanges, pollRefresh, objects: new Map(), polls: 0 }
  }

  /** False when the answer is not one of a watch. */
  function take({ objects }: Held, answer: ObixObject | undefined): boolean {
    const values = answer && childNamed(answer, 'values')
    if (!values) return false
    for (const object of values.children) {
      const key = sameObjectKey(object.attributes.href ?? '', lobby) ?? ''
      // Objects that were not asked for would fill the memory, and so would the children of a point.
      if (objects.has(key)) objects.set(key, { ...object, children: [] })
    }
    return true
  }

  async function poll(from: Held): Promise<boolean> {
    const { pollChanges, pollRefresh } = from
    from.polls += 1
    const operation = from.polls % POLLS_TO_A_REFRESH === 0 ? pollRefresh : pollChanges
    // Asked for changes a second time, the server would leave out those in the answer that was lost.
    return take(from, await invoke(operation, NOTHING, pollRefresh))
  }

  /** Adds again what the server could not watch before: it may exist by now. */
  async function addMissing(to: Held, paths: readonly string[]): Promise<boolean> {
    const missing = paths.filter((path) => (to.objects.get(keyOf(path))?.tag ?? 'err') === 'err')
    for (const some of planRequests(missing)) {
      for (const path of some) to.objects.set(keyOf(path), undefined)
      if (!take(to, await invoke(to.add, encodeWatchIn(some)))) return false
    }
    return true
  }

  const keyOf = (path: string) => sameObjectKey(path, lobby) ?? path

  async function read(paths: readonly string[]): Promise<ReadonlyMap<string, ObixObject> | undefined> {
    const known = held
    // If anything goes wrong from here on, changes may have been lost with the answer, so the watch is not used again.
    held = undefined
    const current = known && (await poll(known)) ? known : await makeWatch()
    if (!current || !(await addMissing(current, paths))) return undefined
    held = current
    const objects = new Map<string, ObixObject>()
    for (const path of paths) {
      const object = current.objects.get(keyOf(path))
      if (object) objects.set(path, object)
    }
    return objects
  }

  const inTurn = createQueue()
  return { read: (paths) => inTurn(() => read(paths)) }
}
