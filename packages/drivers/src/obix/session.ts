import { Failure } from '@plantroom/contract/failure'
import { homeOf, pathOn } from './address.ts'
import type { Answer, Ask, Client } from './client.ts'
import { childNamed } from './codec.ts'
import type { ObixSettings } from './config.ts'
import { type Batch, type Found, readPaths } from './read-paths.ts'
import { createWatch, type Watch } from './watch.ts'
import type { ObixObject } from './xml.ts'

/** A server whose lobby has been seen: what it offers is used as far as the settings ask for it. */
export interface Session {
  /** `fresh`: past the watch, ahead of what is not urgent. Rejects when the server does not answer. */
  read(paths: readonly string[], fresh: boolean): Promise<Found>
  ask: Ask
  close(): void
}

/** Asks for the lobby. Rejects with a one-line reason. */
export async function openSession(settings: ObixSettings, client: Client): Promise<Session> {
  const url = new URL(settings.url)
  const lobby = objectOf(await client.patient({ method: 'GET', path: url.pathname }), settings.url)
  const home = homeOf(lobby.attributes.href, url)
  const watch = settings.mode === 'watch' ? await findWatch(lobby, home, client.patient) : undefined
  const batch = settings.mode === 'get' ? undefined : findBatch(lobby, home)

  return {
    async read(paths, fresh) {
      if (paths.length === 0) return new Map()
      if (fresh) return readPaths(paths, batch, client.urgent)
      return (await watched(watch, paths)) ?? readPaths(paths, batch, client.patient)
    },
    ask: client.urgent,
    close: client.close,
  }
}

async function watched(watch: Watch | undefined, paths: readonly string[]): Promise<Found | undefined> {
  const objects = await watch?.read(paths)
  if (!objects) return undefined
  return new Map(paths.map((path) => [path, objects.get(path) ?? { error: 'the watch of the server leaves it out' }]))
}

function findBatch(lobby: ObixObject, home: URL): Batch | undefined {
  const path = pathOf(lobby, 'batch', home)
  return path === undefined ? undefined : { path, lobby: home }
}

async function findWatch(lobby: ObixObject, home: URL, ask: Ask): Promise<Watch | undefined> {
  const path = pathOf(lobby, 'watchService', home)
  if (path === undefined) return undefined
  const service = objectOf(await ask({ method: 'GET', path }), `${home.origin}${path}`)
  const make = pathOf(service, 'make', homeOf(service.attributes.href, new URL(path, home)))
  return make === undefined ? undefined : createWatch(make, home, ask)
}

/** Where an object has its child of this name. `undefined`: it has none. */
function pathOf(object: ObixObject, name: string, home: URL): string | undefined {
  const child = childNamed(object, name)
  if (!child) return undefined
  const path = pathOn(child.attributes.href ?? name, home)
  if (path !== undefined) return path
  throw new Failure('offline', `${home.host} has its ${name} at another address, which is not used`)
}

function objectOf(answer: Answer, address: string): ObixObject {
  if (answer.kind === 'object') return answer.object
  throw new Failure('offline', `${address}: ${answer.kind === 'empty' ? 'the server sent nothing' : answer.reason}`)
}
