import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import type { Mapping, SourceName } from '@plantroom/contract/conversion'
import type { KeptMapping } from '@plantroom/contract/conversion-jobs'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { MAPPING_BODY_BYTES, requireMapping } from './check-mapping.ts'
import { createMappingStore, type MappingStore } from './mapping-store.ts'

interface MappingDeps {
  mappings: Pick<MappingStore, 'list'>
  activity: Pick<ActivityLog, 'change'>
  clock: Clock
}

/** Lists, keeps and removes mappings of a site. */
export function mappingRoutes(app: FastifyInstance, deps: MappingDeps): void {
  addRoute(app, API.listMappings, async (request) => ({
    mappings: await deps.mappings.list(request.params.propertyId),
  }))

  addRoute(
    app,
    API.saveMapping,
    async (request) => {
      requireMapping(request.body.mapping)
      return keepMapping(deps, request, request.body)
    },
    { bodyLimit: MAPPING_BODY_BYTES, whenTooLarge: 'shorten the mapping' },
  )

  addRoute(app, API.removeMapping, async (request) => {
    const { orgId: organizationId, propertyId: siteId, mappingId } = request.params
    await deps.activity.change(request, async (tx, note) => {
      if (!(await createMappingStore(tx).remove(siteId, mappingId))) {
        throw new Failure('notFound', `this site keeps no mapping ${shown(mappingId)}`)
      }
      note({ organizationId, siteId, action: 'mapping-removed', subject: subjectOf(mappingId) })
    })
  })
}

/** Keeps a mapping that was checked, and records who did. */
export function keepMapping(
  { activity, clock }: Omit<MappingDeps, 'mappings'>,
  request: FastifyRequest<{ Params: { orgId: string; propertyId: string } }>,
  { source, name, mapping }: { source: SourceName; name: string; mapping: Mapping },
): Promise<KeptMapping> {
  const { orgId: organizationId, propertyId: siteId } = request.params
  return activity.change(request, async (tx, note) => {
    const at = new Date(clock.now())
    const saved = await createMappingStore(tx).save(siteId, { source, name: name.trim(), mapping, at })
    note({ organizationId, siteId, action: 'mapping-saved', subject: subjectOf(saved.id), details: { source } })
    return saved
  })
}

// Without the name: it is free text and may name people.
const subjectOf = (id: string) => ({ kind: 'mapping', id, name: null }) as const
