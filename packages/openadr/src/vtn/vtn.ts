import { readEvent, type VtnEvent } from '../normal/events.ts'
import {
  type Notifiers,
  readNotifiers,
  readProgram,
  readReport,
  readSubscription,
  readTopics,
  type VtnProgram,
  type VtnReport,
  type VtnSubscription,
} from '../normal/objects.ts'
import type { Read } from '../normal/parts.ts'
import { boundedSession } from './bounded-session.ts'
import { type Listing, type PageCache, readList } from './read-list.ts'
import { ensureResource, ensureVen, removeResource } from './registration.ts'
import { openSession, type Session } from './session.ts'
import type { VtnAccess, VtnDeps } from './vtn-access.ts'
import { parsedBody, VtnFailure } from './vtn-failure.ts'

/** What we ask of a VTN. Each rejects with a `VtnFailure`. */
export type Vtn = ReturnType<typeof questionsTo>

/** A VTN with what we remember about it. */
export interface OpenVtn extends Vtn {
  /**
   * The same VTN for one purpose: everything that is asked of it together ends within this time or with the signal, and has a
   * bounded size.
   */
  within(ms: number, signal?: AbortSignal): Vtn
}

/** The most lists whose pages are remembered. */
const MAX_CACHES = 20

/** Opens a VTN: remembers its token and the ETags of its pages. Nothing is sent before it is needed. */
export function openVtn(access: VtnAccess, deps: VtnDeps): OpenVtn {
  const session = openSession(access, deps)
  const caches = new Map<string, PageCache>()
  function cacheOf(name: string): PageCache {
    const cache = caches.get(name) ?? new Map()
    if (caches.size < MAX_CACHES) caches.set(name, cache)
    return cache
  }
  return {
    ...questionsTo(session, cacheOf),
    within: (ms, signal) => questionsTo(boundedSession(session, deps.now() + ms, signal), cacheOf),
  }
}

function questionsTo(session: Session, cacheOf: (name: string) => PageCache) {
  return {
    /** How far the clock of the VTN is ahead of ours; `null` when its answers have no `Date`. */
    clockDifferenceMs: () => session.clockDifferenceMs(),
    /** The bearer token, for a broker that wants it; `undefined` without tokens. */
    token: () => session.token(),
    programs: (): Promise<Listing<VtnProgram>> =>
      readList(session, { path: 'programs' }, readProgram, cacheOf('programs')),
    /** The events of a program that we may see. */
    events: (programId: string): Promise<Listing<VtnEvent>> =>
      readList(session, { path: 'events', query: { programID: programId } }, readEvent, cacheOf(`events ${programId}`)),
    /** Our VEN, which is registered if the VTN does not have it. Never writes targets. */
    ensureVen: (venName: string) => ensureVen(session, venName),
    /** A resource of our VEN, which is registered if the VTN does not have it: `made` then gets its id. */
    ensureResource: (venId: string, resourceName: string, made?: (id: string) => void) =>
      ensureResource(session, venId, resourceName, made),
    removeResource: (venId: string, resourceId: string) => removeResource(session, venId, resourceId),
    /** Stores a report, and returns its id where the VTN says it. The VTN stores it again when it is sent again. */
    async sendReport(body: unknown): Promise<string | null> {
      const answer = await session.call({ method: 'POST', path: 'reports', body })
      const read = answer.body === '' ? undefined : readReport(parsedBody(answer, 'POST reports'))
      return read && 'value' in read ? read.value.id : null
    },
    /** The reports of an event that we sent: after a lost answer, look here before sending again. */
    reports: (query: { eventId: string; clientName: string }): Promise<Listing<VtnReport>> =>
      readList(
        session,
        { path: 'reports', query: { eventID: query.eventId, clientName: query.clientName } },
        readReport,
      ),
    subscriptions: (clientName: string): Promise<Listing<VtnSubscription>> =>
      readList(session, { path: 'subscriptions', query: { clientName } }, readSubscription),
    subscribe: (subscription: Subscription) => subscribe(session, subscription),
    async unsubscribe(id: string): Promise<void> {
      const path = `subscriptions/${encodeURIComponent(id)}`
      await session.call({ method: 'DELETE', path, accepted: [404] })
    },
    /** How the VTN notifies; 3.0 has webhooks only. */
    notifiers: () => notifiersOf(session),
    /** The topics that say that events of a program, or events for our VEN, have changed. As the VTN names them. */
    eventTopics: (programId: string, venId: string | null) => eventTopics(session, programId, venId),
  }
}

export interface Subscription {
  readonly clientName: string
  readonly programId: string
  readonly callbackUrl: string
  readonly bearerToken: string
}

async function subscribe(session: Session, subscription: Subscription): Promise<string> {
  const { clientName, programId, callbackUrl, bearerToken } = subscription
  const operations = ['CREATE', 'UPDATE', 'DELETE']
  const objectOperations = [{ objects: ['EVENT'], operations, callbackUrl, bearerToken }]
  const body = { clientName, programID: programId, objectOperations }
  const answer = await session.call({ method: 'POST', path: 'subscriptions', body })
  return valueIn(readSubscription(parsedBody(answer, 'POST subscriptions')), 'POST subscriptions').id
}

async function notifiersOf(session: Session): Promise<Notifiers> {
  if (session.access.version === '3.0') return { hasWebhook: true, mqtt: null }
  const answer = await session.call({ method: 'GET', path: 'notifiers', accepted: [404, 501] })
  if (answer.status !== 200) return { hasWebhook: true, mqtt: null }
  return valueIn(readNotifiers(parsedBody(answer, 'GET notifiers')), 'GET notifiers')
}

async function eventTopics(session: Session, programId: string, venId: string | null): Promise<readonly string[]> {
  const ofProgram = await topicsAt(session, `notifiers/mqtt/topics/programs/${encodeURIComponent(programId)}/events`)
  // Events with targets are announced to the VENs that may see them.
  const ofVen =
    venId === null ? [] : await topicsAt(session, `notifiers/mqtt/topics/vens/${encodeURIComponent(venId)}/events`)
  const topics = [...new Set([...ofProgram, ...ofVen])]
  return topics.length > 0 ? topics : topicsAt(session, 'notifiers/mqtt/topics/events')
}

async function topicsAt(session: Session, path: string): Promise<readonly string[]> {
  const answer = await session.call({ method: 'GET', path, accepted: [403, 404, 501] })
  return answer.status === 200 ? valueIn(readTopics(parsedBody(answer, `GET ${path}`)), `GET ${path}`) : []
}

function valueIn<Value>(read: Read<Value>, what: string): Value {
  if ('value' in read) return read.value
  throw new VtnFailure('broken', `${what}: ${read.problem}`, 'Which version of OpenADR 3 does the VTN have?')
}
