import type { OpenadrMapping } from '@plantroom/contract/openadr'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { findMapped, sitesOfResource } from './mapped-store.ts'
import { isSeen, type ProgramView } from './program-store.ts'

/** What a person sees of the events of programs. */
export interface Reach {
  /** The condition that the person sees `event` of `openadr_program`, all of it or some of its resources. */
  readonly isReached: RawBuilder<boolean>
  /** Of a program, the names of resources that the person sees. `undefined`: all. */
  readonly resourcesOf: (programId: string) => ReadonlySet<string> | undefined
}

/**
 * Who manages all sites of a program sees its events whole. Who manages some of them sees the events for resources whose
 * equipment is all at these sites, and of the events only what is about these resources.
 */
export async function reachOf(db: Db, view: ProgramView): Promise<Reach> {
  const { organizationId, siteIds } = view
  if (siteIds === undefined) return { isReached: isSeen(view), resourcesOf: () => undefined }
  const own = sql`${[...siteIds]}::text[]`
  const { rows } = await sql<{ id: string; mapping: OpenadrMapping }>`
    SELECT id, settings->'mapping' AS mapping FROM openadr_program
    WHERE organization_id = ${organizationId} AND site_ids && ${own} AND NOT site_ids <@ ${own}`.execute(db)
  const resources = new Map<string, ReadonlySet<string>>()
  for (const { id, mapping } of rows) {
    const mapped = await findMapped(db, organizationId, mapping)
    const reached = mapping.resources.filter((resource) => {
      const sites = sitesOfResource(resource, mapped)
      return sites.length > 0 && sites.every((siteId) => siteIds.has(siteId))
    })
    resources.set(id, new Set(reached.map(({ resourceName }) => resourceName)))
  }
  const some = [...resources].map(
    ([id, names]) => sql`(event.program_id = ${id} AND event.resources && ${[...names]}::text[])`,
  )
  const isReached = sql<boolean>`(${sql.join([isSeen(view), ...some], sql` OR `)})`
  return { isReached, resourcesOf: (programId) => resources.get(programId) }
}
