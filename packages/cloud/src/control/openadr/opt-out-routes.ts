import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { GivenOptOut, OpenadrMapping } from '@plantroom/contract/openadr'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { timeOf } from '../../platform/work/index.ts'
import { findMapped, type Mapped } from './mapped-store.ts'
import { createOptOutStore, type OptableEvent } from './opt-out-store.ts'
import { createPollStore } from './poll-store.ts'
import { viewOf } from './program-routes.ts'
import { createProgramStore } from './program-store.ts'

/** Lets people at a site take resources out of an event, and back in. The worker releases, places and reports. */
export function optOutRoutes(app: FastifyInstance, deps: { db: Db; activity: ActivityLog; clock: Clock }): void {
  const { activity, clock } = deps

  addRoute(app, API.optOutOfOpenadrEvent, async (request) => {
    const { orgId: organizationId, eventId } = request.params
    const { body, actor } = request
    return activity.change(request, async (tx, note) => {
      const store = createOptOutStore(tx)
      const event = await store.event(viewOf(request), eventId)
      if (!event) throw new Failure('notFound', `this organization has no OpenADR event ${shown(eventId)}`)
      const now = new Date(clock.now())
      requireOpen(event, now)
      const program = await createProgramStore(tx).lock(organizationId, event.programId)
      const mapping = program?.settings.mapping ?? { resources: [], silenceSeconds: 0 }
      const mapped = await findMapped(tx, organizationId, mapping)
      const resourceNames = resourcesOf(body, event, (siteId) => resourcesAt(siteId, mapping, mapped))
      await store.add(
        { eventId, by: actor.name ?? actor.kind, reason: body.reason },
        resourceNames.map((resourceName) => ({ id: newId('opt'), resourceName })),
        now,
      )
      await createPollStore(tx).interrupt(event.programId, timeOf(clock))
      note(happened('openadr-opted-out', organizationId, event, { resources: resourceNames, reason: body.reason }))
      const optOuts = (await store.ofEvents([eventId])).get(eventId) ?? []
      const isShown = (name: string) => request.siteIds === undefined || event.resources.includes(name)
      return { optOuts: optOuts.filter(({ resourceName }) => isShown(resourceName)) }
    })
  })

  addRoute(app, API.endOpenadrOptOut, async (request) => {
    const { orgId: organizationId, optOutId } = request.params
    await activity.change(request, async (tx, note) => {
      const ended = await createOptOutStore(tx).end(viewOf(request), optOutId, new Date(clock.now()))
      if (!ended) throw new Failure('notFound', `no opt-out ${shown(optOutId)} is in force in this organization`)
      await createPollStore(tx).interrupt(ended.programId, timeOf(clock))
      note(happened('openadr-opted-in', organizationId, ended, { resources: [ended.resourceName] }))
    })
  })
}

function requireOpen({ deletedAt, endsAt }: OptableEvent, now: Date): void {
  if (deletedAt === null && (endsAt === null || endsAt > now)) return
  throw new Failure('conflict', `the event is ${deletedAt ? 'deleted' : 'over'}: there is nothing left to opt out of`)
}

function resourcesOf(
  { resourceNames, siteId }: GivenOptOut,
  { resources }: OptableEvent,
  at: (siteId: string) => readonly string[],
): readonly string[] {
  const unknown = resourceNames?.find((name) => !resources.includes(name))
  if (unknown !== undefined) {
    const known = resources.length > 0 ? `it is for ${resources.join(', ')}` : 'it asks nothing of your resources'
    throw new Failure('invalid', `the event is not for ${shown(unknown)}: ${known}`, 'resourceNames')
  }
  const ofSite = siteId === undefined ? resources : resources.filter((name) => at(siteId).includes(name))
  const chosen = resourceNames === undefined ? ofSite : ofSite.filter((name) => resourceNames.includes(name))
  if (chosen.length > 0) return chosen
  if (siteId === undefined) throw new Failure('conflict', 'the event asks nothing of your resources')
  throw new Failure('invalid', `the event asks nothing of the site ${shown(siteId)}: check the id`, 'siteId')
}

/** The resources with equipment at a site. */
const resourcesAt = (siteId: string, { resources }: OpenadrMapping, { writable }: Mapped): string[] =>
  resources
    .filter(({ rules }) =>
      rules.some(({ datapointId, limit }) =>
        limit ? limit.siteId === siteId : writable.get(datapointId ?? '')?.siteId === siteId,
      ),
    )
    .map(({ resourceName }) => resourceName)

const happened = (
  action: 'openadr-opted-out' | 'openadr-opted-in',
  organizationId: string,
  { programId, programName, ...event }: { programId: string; programName: string; id?: string; eventId?: string },
  details: Readonly<Record<string, unknown>>,
) => ({
  ...{ organizationId, action },
  subject: { kind: 'openadr-program', id: programId, name: programName } as const,
  details: { eventId: event.eventId ?? event.id, ...details },
})
