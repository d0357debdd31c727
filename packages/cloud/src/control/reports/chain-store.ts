import type { EntrySignature } from '@plantroom/contract/reports'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { givenRows } from '../../platform/db/given-rows.ts'

/** An entry as its device wrote it, with the signature over it if it has one. */
export interface ChainLink {
  id: string
  /** The exact JSON text, which hashes and signatures are about. */
  entry: string
  signed: EntrySignature | undefined
}

export type ChainStore = ReturnType<typeof createChainStore>

/** Keeps the audit as devices signed it. Nothing here is ever changed or deleted. */
export function createChainStore(db: Db) {
  return {
    /** Stores entries of one device in the given order, each once. */
    async add(organizationId: string, deviceId: string, links: readonly ChainLink[]): Promise<void> {
      if (links.length === 0) return
      await sql`
        INSERT INTO report_chain (organization_id, device_id, id, entry, key, signature)
        SELECT ${organizationId}, ${deviceId}, id, entry, key, signature
        FROM ${givenRows(links, {
          place: ['integer', (_, place) => place],
          id: 'text',
          entry: 'text',
          key: ['text', ({ signed }) => signed?.key],
          signature: ['text', ({ signed }) => signed?.signature],
        })}
        ORDER BY place
        ON CONFLICT (device_id, id) DO NOTHING`.execute(db)
    },

    /** Lists the links of a device from the oldest, after a position. */
    list: (organizationId: string, deviceId: string, after: string | undefined, limit: number) =>
      db
        .selectFrom('report_chain')
        .where('organization_id', '=', organizationId)
        .where('device_id', '=', deviceId)
        .where('position', '>', after ?? '0')
        .select(['position', 'entry', 'key', 'signature'])
        .orderBy('position')
        .limit(limit)
        .execute(),
  }
}
