import { newId } from '@plantroom/base/ids'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Lease, type LeasedRows, settle } from '../../platform/work/index.ts'
import type { ProgramSettings, StoredProgram } from './program-store.ts'

/** What waits to be deleted at VTNs. */
export const CLEANUPS: LeasedRows<'openadr_cleanup', 'id'> = {
  table: 'openadr_cleanup',
  key: ['id'],
  waiting: sql`true`,
}

/** A poll that was under way may still subscribe. By then, it has ended. */
const FIRST_MS = 30_000

/** How a VTN is reached, and as whom. */
export type CleanupSettings = Omit<ProgramSettings, 'mapping' | 'ownProfile'>

/** What a program made at its VTN, as of when it was removed or paused, or got another VTN. */
export interface Cleanup {
  id: string
  organizationId: string
  programId: string
  programName: string
  settings: CleanupSettings
  secret: Buffer
  notifyToken: string
  venId: string | null
  subscriptions: readonly string[]
  resources: readonly string[]
  createdAt: Date
}

/** What a program needs at the VTN by now, which is not deleted. */
export interface StillNeeded {
  /** The program is active at this VTN again, and its subscriptions are looked after by its polls. */
  isFollowed: boolean
  subscriptions: ReadonlySet<string>
  resources: ReadonlySet<string>
}

export function createCleanupStore(db: Db) {
  return {
    /** Has deleted at the VTN what a program made there, in the transaction that ends the program or its connection. */
    async add(program: StoredProgram, { alsoResources }: { alsoResources: boolean }, now: Date): Promise<void> {
      const { id: programId, name, organizationId, secret, notifyToken, found, madeResources } = program
      const { mapping: _mapping, ownProfile: _profile, ...settings } = program.settings
      const subscriptions = (found.subscriptions ?? []).map(({ id }) => id)
      const resources = alsoResources ? [...madeResources] : []
      // One that has a problem may have subscribed, and not have heard the answer.
      if (subscriptions.length + resources.length === 0 && !found.webhookProblem) return
      await db
        .insertInto('openadr_cleanup')
        .values({
          ...{ id: newId('cln'), secret, subscriptions, resources },
          organization_id: organizationId,
          program_id: programId,
          program_name: name,
          settings: JSON.stringify(settings),
          notify_token: notifyToken,
          ven_id: found.venId ?? null,
          created_at: now,
          due_at: new Date(now.getTime() + FIRST_MS),
        })
        .execute()
    },

    async open({ id }: Lease<'id'>): Promise<Cleanup | undefined> {
      const { rows } = await sql<Cleanup>`
        SELECT id, organization_id AS "organizationId", program_id AS "programId", program_name AS "programName", settings,
          secret, notify_token AS "notifyToken", ven_id AS "venId", subscriptions, resources, created_at AS "createdAt"
        FROM openadr_cleanup WHERE id = ${id}`.execute(db)
      return rows[0]
    },

    /** What programs at the same VTN have there. */
    async needed({ programId, settings }: Cleanup): Promise<StillNeeded> {
      const { vtnUrl, clientId, venName } = settings
      const { rows } = await sql<{ isFollowed: boolean; subscriptions: string[]; resources: string[] }>`
        SELECT id = ${programId} AND active AND settings->>'clientId' = ${clientId} AND settings->>'venName' = ${venName}
            AS "isFollowed",
          ARRAY(SELECT jsonb_path_query(found, '$.subscriptions[*].id')->>0) AS subscriptions,
          ARRAY(SELECT jsonb_path_query(found, '$.resources[*].id')->>0) AS resources
        FROM openadr_program WHERE settings->>'vtnUrl' = ${vtnUrl}`.execute(db)
      return {
        isFollowed: rows.some((row) => row.isFollowed),
        subscriptions: new Set(rows.flatMap((row) => row.subscriptions)),
        resources: new Set(rows.flatMap((row) => row.resources)),
      }
    },

    /** Tries again later. */
    retry: (lease: Lease<'id'>, dueAt: Date) => settle(db, CLEANUPS, lease, { due_at: dueAt }),

    /** Ends it. False when another worker has it by now. */
    async remove({ id, claim }: Lease<'id'>): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('openadr_cleanup')
        .where('id', '=', id)
        .where('claim', '=', claim)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
