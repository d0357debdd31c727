import { Failure } from '@plantroom/contract/failure'
import { excerpt } from '../excerpt.ts'
import type { SilentAddresses } from '../silent-addresses.ts'
import { homeOf, pathOn } from './address.ts'
import type { Answer, Ask, Client } from './client.ts'
import { childNamed } from './codec.ts'
import type { ObixSettings } from './config.ts'
import { Unanswered } from './http-line.ts'
import { type Batch, type Found, type ReadDeps, readPaths } from './read-paths.ts'
import { createWatch, type Watch } from './watch.ts'
import type { ObixObject } from './xml.ts'

/** A server whose lobby has been read. Uses the server's operations as far as the settings allow. */
export interface Session {
  /**
   * Reads paths. `fresh` reads bypass the watch and go ahead of others. A path that alone does not answer is an error.
   * Rejects when the server no longer answers at all.
   */
  read(paths: readonly string[], fresh: boolean): Promise<Found>
  /** Sends a request ahead of polls. */
  ask: Ask
  /** Notes that a path was written: its next reading does not come from the watch, whose reports may be late. */
  written(path: string): void
  close(): void
}

/** The state that outlives a session. */
export type SessionMemory = Pick<ReadDeps, 'silent' | 'silentOperations'>

/** Reads the lobby. Rejects with a one-line reason. */
export async function openSession(settings: ObixSettings, client: Client, memory: SessionMemory): Promise<Session> {
  const { silent, silentOperations } = memory
  const url = new URL(settings.url)
  const lobby = objectOf(await client.poll({ method: 'GET', path: url.pathname }), settings.url)
  const home = homeOf(lobby.attributes.href, url)
  const watch = settings.mode === 'watch' ? await findWatch(lobby, home, client.poll) : undefined
  const batch = settings.mode === 'get' ? undefined : findBatch(lobby, home)
  const retry = createRetry(client.spare, silent)
  /** The paths that were written and not read since, each with a symbol of the last write. */
  const outdated = new Map<string, symbol>()

  function readingBy(ask: Ask): ReadDeps {
    return {
      ask,
      batch,
      ...memory,
      async confirmAlive(failure) {
        try {
          await ask({ method: 'GET', path: url.pathname })
        } catch (second) {
          throw second instanceof Unanswered ? failure : second
        }
      },
    }
  }
  const urgent = readingBy(client.urgent)
  const polling = readingBy(client.poll)

  /** Reads paths without the watch, and replaces what the watch knows about those that were written. */
  async function readAround(paths: readonly string[], deps: ReadDeps): Promise<Found> {
    const before = new Map(outdated)
    const found = await readPaths(paths, deps)
    for (const [path, object] of found) {
      if ('error' in object || !before.has(path) || before.get(path) !== outdated.get(path)) continue
      outdated.delete(path)
      await watch?.replace(path, object)
    }
    return found
  }

  /** Returns `undefined` if the watch cannot be used at the moment. */
  async function watched(paths: readonly string[]): Promise<Found | undefined> {
    if (!watch || !silentOperations.isDue(watch.path)) return undefined
    try {
      const objects = await watch.read(paths)
      silentOperations.noteAnswer(watch.path)
      return objects && new Map(paths.map((path) => [path, objects.get(path) ?? LEFT_OUT_BY_WATCH]))
    } catch (failure) {
      if (!(failure instanceof Unanswered)) throw failure
      await polling.confirmAlive(failure)
      silentOperations.noteSilent(watch.path, failure.message)
      return undefined
    }
  }

  async function readAsked(asked: readonly string[]): Promise<Found> {
    const written = asked.filter((path) => outdated.has(path))
    const others = written.length === 0 ? asked : asked.filter((path) => !outdated.has(path))
    const found = others.length === 0 ? new Map() : ((await watched(others)) ?? (await readPaths(others, polling)))
    return written.length === 0 ? found : new Map([...found, ...(await readAround(written, polling))])
  }

  async function poll(asked: readonly string[], resting: readonly string[]): Promise<Found> {
    // Without anything else to read, the lobby shows whether the server still answers.
    if (asked.length === 0) await client.poll({ method: 'GET', path: url.pathname })
    const found = asked.length === 0 ? [] : await readAsked(asked)
    retry(resting)
    return new Map([...found, ...resting.map((path) => [path, { error: silent.reason(path) ?? 'not read' }] as const)])
  }

  async function readFresh(asked: readonly string[], resting: readonly string[]): Promise<Found> {
    const found = await readAround(asked, urgent)
    // Last, and one at a time: each will probably cost a timeout.
    return new Map([...found, ...(await readAround(resting, { ...urgent, batch: undefined }))])
  }

  return {
    async read(paths, fresh) {
      if (paths.length === 0) return new Map()
      const asked = paths.filter((path) => silent.reason(path) === undefined)
      const resting = paths.filter((path) => silent.reason(path) !== undefined)
      return fresh ? readFresh(asked, resting) : poll(asked, resting)
    },
    ask: client.urgent,
    written(path) {
      if (watch) outdated.set(path, Symbol('write'))
    },
    close: client.close,
  }
}

const LEFT_OUT_BY_WATCH = { error: 'the watch of the server does not include it' }

/** Retries silent paths, one at a time and on a separate socket, so that no other request waits for them. */
function createRetry(ask: Ask, silent: SilentAddresses): (paths: readonly string[]) => void {
  let busy = false

  async function retryUntilSilent(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      if (silent.reason(path) === undefined || !silent.isDue(path)) continue
      try {
        await ask({ method: 'GET', path })
        silent.noteAnswer(path)
      } catch (failure) {
        if (failure instanceof Unanswered) silent.noteSilent(path, failure.message)
        return
      }
    }
  }

  return (paths) => {
    if (busy) return
    busy = true
    void retryUntilSilent(paths).finally(() => {
      busy = false
    })
  }
}

function findBatch(lobby: ObixObject, home: URL): Batch | undefined {
  const path = pathOf(lobby, 'batch', home)
  return path === undefined ? undefined : { path, lobby: home }
}

/** Returns `undefined` if the server has no watch service, or one that does not answer: a batch works as well. */
async function findWatch(lobby: ObixObject, home: URL, ask: Ask): Promise<(Watch & { path: string }) | undefined> {
  const path = pathOf(lobby, 'watchService', home)
  const answer = path === undefined ? undefined : await ask({ method: 'GET', path }).catch(unlessAnswered)
  if (path === undefined || answer?.kind !== 'object') return undefined
  const make = pathOf(answer.object, 'make', homeOf(answer.object.attributes.href, new URL(path, home)))
  return make === undefined ? undefined : { ...createWatch(make, home, ask), path: make }
}

function unlessAnswered(failure: unknown): undefined {
  if (!(failure instanceof Unanswered)) throw failure
}

/** Returns the path of the child with this name; `undefined` if there is none. */
function pathOf(object: ObixObject, name: string, home: URL): string | undefined {
  const child = childNamed(object, name)
  if (!child) return undefined
  const path = pathOn(child.attributes.href ?? name, home)
  if (path !== undefined) return path
  throw new Failure('offline', `${excerpt(home.host)} has its ${name} on another server, which is not used`)
}

function objectOf(answer: Answer, address: string): ObixObject {
  if (answer.kind === 'object') return answer.object
  const reason = answer.kind === 'empty' ? 'the server sent nothing' : answer.reason
  throw new Failure('offline', `${excerpt(address)}: ${reason}`)
}
