import type { Log } from '@plantroom/base/log'
import type { ControlState, PendingRelease, PlacedOverride } from '@plantroom/contract/control-state'
import type { PlacedLimit, PowerLimitState } from '@plantroom/contract/power-limit'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

const PERSON = 'user:'
const PROGRAM = 'program:'
/** The form of our caller ids. A device may send anything. */
const CALLER_ID = /^[\w:-]{1,100}$/
/** Per lookup. */
const MAX_IDS = 1_000

/** Looks up the names of callers who placed overrides. */
export interface CallerNameStore {
  /** Returns the names of keys, including revoked ones, and of OpenADR programs, and the e-mail addresses of people, by caller id. */
  names(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}

export function createCallerNameStore(db: Db): CallerNameStore {
  return {
    async names(organizationId, ids) {
      const users = ids.filter((id) => id.startsWith(PERSON)).map((id) => id.slice(PERSON.length))
      const programs = ids.filter((id) => id.startsWith(PROGRAM)).map((id) => id.slice(PROGRAM.length))
      const keys = ids.filter((id) => !id.startsWith(PERSON))
      const found = await db
        .selectFrom('api_key')
        .where('organization_id', '=', organizationId)
        .where('id', '=', sql<string>`ANY(${keys}::text[])`)
        .select(['id', 'name'])
        .unionAll((eb) =>
          eb
            .selectFrom('user_account')
            .where('id', '=', sql<string>`ANY(${users}::text[])`)
            .where('id', 'in', (member) =>
              member.selectFrom('membership').where('organization_id', '=', organizationId).select('user_id'),
            )
            .select([sql<string>`${PERSON}::text || id`.as('id'), 'email as name']),
        )
        .unionAll((eb) =>
          eb
            .selectFrom('openadr_program')
            .where('organization_id', '=', organizationId)
            .where('id', '=', sql<string>`ANY(${programs}::text[])`)
            .select([sql<string>`${PROGRAM}::text || id`.as('id'), 'name']),
        )
        .execute()
      return new Map(found.map(({ id, name }) => [id, name]))
    },
  }
}

/** The state of a device with the names of the callers who placed its overrides and power limits. */
export type NamedState = Omit<ControlState, 'overrides' | 'powerLimit'> & {
  overrides: readonly (PlacedOverride & { placedByName: string | null })[]
  powerLimit?: Omit<PowerLimitState, 'limits'> & {
    limits: readonly (PlacedLimit & { placedByName: string | null })[]
  }
  pendingReleases?: PendingRelease[]
}

/** Adds the names of callers to overrides. Caches names that were found and looks up the others again. */
export interface CallerNames {
  addTo(state: ControlState): Promise<NamedState>
}

export function createCallerNames(deps: { store: CallerNameStore; organizationId: string; log: Log }): CallerNames {
  const { store, organizationId, log } = deps
  const known = new Map<string, string>()

  async function lookUp(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    try {
      for (const [id, name] of await store.names(organizationId, ids)) known.set(id, name)
    } catch (error) {
      // The state of a device is useful without names.
      log.warn({ err: error }, 'could not look up the names of callers')
    }
  }

  return {
    async addTo(state) {
      const { overrides, powerLimit, ...rest } = state
      const callers = new Set([...overrides, ...(powerLimit?.limits ?? [])].map(({ placedBy }) => placedBy))
      const unknown = [...callers].filter((id) => !known.has(id) && CALLER_ID.test(id))
      await lookUp(unknown.slice(0, MAX_IDS))
      for (const id of known.keys()) if (!callers.has(id)) known.delete(id)
      const named = <Placed extends { placedBy: string }>(placed: readonly Placed[]) =>
        placed.map((one) => ({ ...one, placedByName: known.get(one.placedBy) ?? null }))
      return {
        ...rest,
        overrides: named(overrides),
        ...(powerLimit && { powerLimit: { ...powerLimit, limits: named(powerLimit.limits) } }),
      }
    },
  }
}
