import { type AuditKey, fingerprintOf, isSignedBy } from '@plantroom/base/audit-key'
import { sha256 } from '@plantroom/base/sha256'
import { type KeyReason, RecordedKey } from '@plantroom/contract/audit-head'
import { readIfValid } from '@plantroom/contract/read'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Happened } from './happened.ts'

const ACTIONS = ['audit-key-recorded', 'audit-key-changed'] as const

/** A controller, and the public key that signs its audit, in Base64. */
export interface SigningDevice {
  device: { id: string; organizationId: string; siteId: string; name?: string }
  key: string
}

/**
 * The keys with which controllers sign their audits. The activity log records them: a person who can change the database cannot
 * sign an entry of that log, so cannot add a key.
 */
export interface AuditKeys {
  /**
   * Returns what to record about controllers whose key is not the one recorded last. The caller records it in the same
   * transaction.
   */
  changes(tx: Db, given: readonly SigningDevice[]): Promise<Happened[]>
  /** Lists the keys of a controller, in the order of their use. */
  list(db: Db, device: { id: string; organizationId: string }): Promise<RecordedKey[]>
}

export function createAuditKeys(key: AuditKey): AuditKeys {
  const recordedOf = async (db: Db, devices: readonly { id: string; organizationId: string }[]) => {
    const rows = await db
      .selectFrom('activity')
      .where('chain', '=', sql<string>`ANY(${[...new Set(devices.map((one) => one.organizationId))]}::text[])`)
      .where('subject_id', '=', sql<string>`ANY(${devices.map(({ id }) => id)}::text[])`)
      .where('action', 'in', ACTIONS)
      .select(['subject_id as deviceId', 'entry', 'key', 'signature'])
      .orderBy('seq')
      .execute()
    const own = rows.filter((row) => row.key === key.publicKey && isSignedBy(row, sha256(row.entry)))
    return Map.groupBy(own, ({ deviceId }) => deviceId ?? '')
  }

  return {
    async changes(tx, given) {
      if (given.length === 0) return []
      const recorded = await recordedOf(
        tx,
        given.map(({ device }) => device),
      )
      const known = given.map(({ device, key: its }) => {
        const before = (recorded.get(device.id) ?? []).map(({ entry }) => keyIn(entry)).findLast((one) => one)
        return { device, fingerprint: fingerprintOf(its), before }
      })
      const changed = known.filter(({ fingerprint, before }) => fingerprint !== before?.fingerprint)
      const causes = await causesOf(
        tx,
        changed.map(({ device }) => device.id),
      )
      return changed.map(({ device, fingerprint, before }) => {
        const cause = causes.get(device.id)
        const isExplained = cause && before && cause.at.getTime() > Date.parse(before.at)
        const reason: KeyReason = before ? (isExplained ? cause.cause : 'unexplained') : 'first'
        return {
          organizationId: device.organizationId,
          siteId: device.siteId,
          action: before ? 'audit-key-changed' : 'audit-key-recorded',
          subject: { kind: 'device', id: device.id, name: device.name ?? null },
          details: { fingerprint, reason, ...(before && { before: before.fingerprint }) },
        }
      })
    },

    async list(db, device) {
      const rows = (await recordedOf(db, [device])).get(device.id) ?? []
      return rows.flatMap(({ entry }) => keyIn(entry) ?? [])
    },
  }
}

function keyIn(entry: string): RecordedKey | undefined {
  const { at, details } = JSON.parse(entry) as { at: unknown; details: object }
  return readIfValid(RecordedKey, { ...details, at })
}

/** Why a controller may have another key: when it was last replaced, or lost its memory. */
async function causesOf(db: Db, deviceIds: readonly string[]) {
  const rows = await db
    .selectFrom('device_replacement')
    .where('device_id', '=', sql<string>`ANY(${[...deviceIds]}::text[])`)
    .select(['device_id', 'cause', 'requested_at as at'])
    .execute()
  return new Map(rows.map(({ device_id, ...row }) => [device_id, row]))
}
