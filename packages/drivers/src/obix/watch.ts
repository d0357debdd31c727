import { Failure } from '@plantroom/contract/failure'
import { folderOf, pathOn, resolveHref, sameObjectKey } from './address.ts'
import type { Ask } from './client.ts'
import { childNamed, encodeWatchIn, NOTHING } from './codec.ts'
import { planRequests } from './plan.ts'
import { createQueue } from './queue.ts'
import type { ObixObject } from './xml.ts'

/** A server's watch: it tells what has changed since it was last asked. */
export interface Watch {
  /**
   * The objects as they are now. A watch that the server has forgotten, as it does when its lease ends, is made anew.
   * `undefined` when the server gives us none just now.
   */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, ObixObject> | undefined>
}

/** What the server keeps for us, and what it has told us so far. */
interface Held {
  add: string
  pollChanges: string
  pollRefresh: string
  /** By what their hrefs have in common; `undefined` for one that was asked for and not told of. */
  objects: Map<string, ObixObject | undefined>
  polls: number
}

// A change that was lost on its way would else stand for ever.
const POLLS_TO_A_REFRESH = 30

/** @param make where watches are made, @param lobby what hrefs start from where an answer does not say */
export function createWatch(make: string, lobby: URL, ask: Ask): Watch {
  let held: Held | undefined

  async function invoke(path: string, body: string, pathAgain?: string): Promise<ObixObject | undefined> {
    const answer = await ask({ method: 'POST', path, pathAgain, body })
    return answer.kind === 'object' ? answer.object : undefined
  }

  async function makeAnew(): Promise<Held | undefined> {
    const watch = await invoke(make, NOTHING)
    if (!watch) return undefined
    const home = folderOf(resolveHref(watch.attributes.href ?? '', lobby) ?? lobby)
    const operation = (name: string) => {
      const address = resolveHref(childNamed(watch, name)?.attributes.href ?? name, home)
      const path = address && pathOn(address.href, lobby)
      if (path === undefined) {
        throw new Failure('offline', `${lobby.host} gives a watch at another address, which is not used`)
      }
      return path
    }
    const [add, pollChanges, pollRefresh] = [operation('add'), operation('pollChanges'), operation('pollRefresh')]
    return { add, pollChanges, pollRefresh, objects: new Map(), polls: 0 }
  }

  /** False when the answer is none of a watch. */
  function take({ objects }: Held, answer: ObixObject | undefined): boolean {
    const values = answer && childNamed(answer, 'values')
    if (!values) return false
    for (const object of values.children) {
      const key = sameObjectKey(object.attributes.href ?? '', lobby) ?? ''
      // What nobody asked for would fill the memory, and so would all that stands below a point.
      if (objects.has(key)) objects.set(key, { ...object, children: [] })
    }
    return true
  }

  async function poll(from: Held): Promise<boolean> {
    const { pollChanges, pollRefresh } = from
    from.polls += 1
    const operation = from.polls % POLLS_TO_A_REFRESH === 0 ? pollRefresh : pollChanges
    // Asked for changes twice, the server would tell nothing of those that it has told to nobody.
    return take(from, await invoke(operation, NOTHING, pollRefresh))
  }

  /** Objects that the server could not watch are offered to it again: they may have come since. */
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
    // Whatever goes wrong from here on, this watch may have told us something that did not arrive.
    held = undefined
    const current = known && (await poll(known)) ? known : await makeAnew()
    if (!current || !(await addMissing(current, paths))) return undefined
    held = current
    const told = new Map<string, ObixObject>()
    for (const path of paths) {
      const object = current.objects.get(keyOf(path))
      if (object) told.set(path, object)
    }
    return told
  }

  const inTurn = createQueue()
  return { read: (paths) => inTurn(() => read(paths)) }
}
