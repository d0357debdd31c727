import type { TargetPlace, TargetTest } from '@plantroom/contract/automatic-exports'
import type { Db } from '../../platform/db/database.ts'
import { askedWork, type Lease, settle } from '../../platform/work/index.ts'

/** A test of a target that a person asked for. */
export interface AskedTest {
  id: string
  organizationId: string
  siteId: string
  targetId: string
  place: TargetPlace
  /** Sealed for the id of the target. */
  secret: Buffer | null
}

/** The worker gives up before the request does. */
export const TESTS = askedWork<'automatic_export_asked', TargetTest>({
  table: 'automatic_export_asked',
  name: 'target-test',
  what: 'test',
  waitMs: 40_000,
})

export type AskedTestStore = ReturnType<typeof createAskedTestStore>

/** Tests of targets between the cloud, which is asked for them, and the worker, which runs them. */
export function createAskedTestStore(db: Db) {
  return {
    async add({ id, organizationId, siteId, targetId, place, secret }: AskedTest, now: Date): Promise<void> {
      const asked = { id, organization_id: organizationId, site_id: siteId, target_id: targetId, due_at: now }
      const values = { ...asked, settings: JSON.stringify(place), secret }
      await db.insertInto('automatic_export_asked').values(values).execute()
    },

    async open({ id, organizationId }: Lease<'id'>): Promise<AskedTest> {
      const row = await db
        .selectFrom('automatic_export_asked')
        .where('id', '=', id)
        .select(['site_id as siteId', 'target_id as targetId', 'settings as place', 'secret'])
        .executeTakeFirstOrThrow()
      return { id, organizationId, ...row }
    },

    /** Keeps the outcome for the cloud, and the secret no longer. */
    async settle(lease: Lease<'id'>, outcome: TargetTest): Promise<void> {
      await settle(db, TESTS.rows, lease, { outcome: JSON.stringify(outcome), secret: null })
    },
  }
}
