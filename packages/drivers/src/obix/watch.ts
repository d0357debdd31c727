import { Failure } from '@plantroom/contract/failure'
import { excerpt } from '../excerpt.ts'
import { createQueue } from '../queue.ts'
import { folderOf, pathOn, resolveHref, sameObjectKey } from './address.ts'
import type { Ask } from './client.ts'
import { childNamed, encodeWatchIn, NOTHING } from './codec.ts'
import { planRequests } from './read-paths.ts'
import type { ObixObject } from './xml.ts'

/** A server's watch: each poll returns the changes since the last one. */
export interface Watch {
  /**
   * Returns the current objects. Creates a new watch if the server has dropped the last one, for example at the end of
   * its lease. Returns `undefined` if the server refuses to create one.
   */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, ObixObject> | undefined>
  /** Replaces what the watch knows about a path with an object that was read in another way. */
  replace(path: string, object: ObixObject): Promise<void>
}

/** The watch on the server, and the objects that its polls have returned so far. */
interface Held {
  add: string
  pollChanges: string
  pollRefresh: string
  /** The objects by `sameObjectKey`; `undefined` for one that was added but not returned yet. */
  objects: Map<string, ObixObject | undefined>
  polls: number
}

// Without a refresh, a change that was lost in transit would never be seen.
const POLLS_TO_A_REFRESH = 30

/**
 * @param make the path of the operation that creates watches
 * @param lobby the base of relative hrefs if an answer contains none
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
        throw new Failure('offline', `${excerpt(lobby.host)} has its watch on another server, which is not used`)
      }
      return path
    }
    const [add, pollChanges, pollRefresh] = [operation('add'), operation('pollChanges'), operation('pollRefresh')]
    return { add, pollChanges, pollRefresh, objects: new Map(), polls: 0 }
  }

  /** Stores the values of an answer. Returns false if it is not the answer of a watch. */
  function take({ objects }: Held, answer: ObixObject | undefined): boolean {
    const values = answer && childNamed(answer, 'values')
    if (!values) return false
    for (const object of values.children) {
      const key = sameObjectKey(object.attributes.href ?? '', lobby) ?? ''
      // Unrequested objects and the children of points would fill the memory.
      if (objects.has(key)) objects.set(key, { ...object, children: [] })
    }
    return true
  }

  async function poll(from: Held): Promise<boolean> {
    const { pollChanges, pollRefresh } = from
    from.polls += 1
    const operation = from.polls % POLLS_TO_A_REFRESH === 0 ? pollRefresh : pollChanges
    // A second poll for changes would omit those in the lost answer.
    return take(from, await invoke(operation, NOTHING, pollRefresh))
  }

  /** Adds paths that the watch lacks, including those that the server could not watch before. */
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
    // If anything fails from here on, changes may have been lost with the answer, so the watch is not reused.
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
  return {
    read: (paths) => inTurn(() => read(paths)),
    // In turn, because the answer to a poll in progress may be older.
    replace: (path, object) =>
      inTurn(async () => {
        if (held?.objects.has(keyOf(path))) held.objects.set(keyOf(path), { ...object, children: [] })
      }),
  }
}
