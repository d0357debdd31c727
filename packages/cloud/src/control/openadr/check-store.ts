import type { OpenadrCheck } from '@plantroom/contract/openadr'
import type { Db } from '../../platform/db/database.ts'
import { storableJson } from '../../platform/db/storable-text.ts'
import { askedWork, type Lease, settle } from '../../platform/work/index.ts'
import { createProgramStore } from './program-store.ts'

/** Checks that people ask for. */
export const CHECKS = askedWork<'openadr_check', OpenadrCheck>({
  table: 'openadr_check',
  name: 'openadr-check',
  what: 'check',
  waitMs: 75_000,
})

/** Checks of connections between the cloud, which is asked for them, and the worker, which runs them. */
export function createCheckStore(db: Db) {
  return {
    async add(check: { id: string; programId: string; organizationId: string }, now: Date): Promise<void> {
      const { id, programId, organizationId } = check
      const values = { id, program_id: programId, organization_id: organizationId, due_at: now }
      await db.insertInto('openadr_check').values(values).execute()
    },

    async programOf({ id }: Lease<'id'>): Promise<string> {
      const query = db.selectFrom('openadr_check').where('id', '=', id).select('program_id')
      return (await query.executeTakeFirstOrThrow()).program_id
    },

    /** Keeps the outcome for the cloud, and as the last one of the program, with the resources that it made at the VTN. */
    settle: (lease: Lease<'id'>, programId: string, outcome: OpenadrCheck, made: readonly string[]): Promise<void> =>
      db.transaction().execute(async (tx) => {
        await createProgramStore(tx).addMade(programId, made)
        const text = storableJson(outcome)
        if (!(await settle(tx, CHECKS.rows, lease, { outcome: text }))) return
        await tx.updateTable('openadr_program').where('id', '=', programId).set({ last_check: text }).execute()
      }),
  }
}
