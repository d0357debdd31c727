import type { Updateable } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Lease, LeasedRows, WorkTable } from './leased-rows.ts'

/** A process that does not renew its lease for this long is dead. */
export const LEASE_MS = 60_000

/** What a run may use, and must heed. The signals are its own: what it leaves on them goes with it. */
export interface RunTools<Table extends WorkTable> {
  /** Aborts when the process stops. What can be given back should be; the rest is waited for. */
  stopping: AbortSignal
  /** Aborts when another process has the row, or it was ended: nothing can be recorded any more. */
  lost: AbortSignal
  /**
   * Aborts when the run took long, and its place is wanted: what can be given back should be. It begins among the slow ones the
   * next time.
   */
  giveWay: AbortSignal
  /** Also stores these columns whenever the lease is renewed. */
  alsoStore(columns: () => Updateable<Schema[Table]>): void
}

/** A kind of work that is done later: `claim → run → settle`. */
export interface WorkKind<Table extends WorkTable = WorkTable, Key extends string = string> {
  name: string
  rows: LeasedRows<Table, Key>
  /** In one process at the same time. */
  atOnce: number
  /** Of one organization. At most half of `atOnce`, so that no organization waits for another one's. */
  perOrganization: number
  leaseMs?: number
  /** How often the lease is renewed. */
  renewMs?: number
  /**
   * Work that waits for servers of others takes any time. After `afterMs`, a run leaves its place to the others and continues
   * in one of these; rows that took long the last time begin here.
   */
  slow?: { afterMs: number; atOnce: number; perOrganization: number }
  /** How often to look for what has become due. */
  lookMs?: number
  /** False keeps every row waiting, for example while a server that all of them need cannot be reached. */
  isOpen?(): boolean
  /** Does it once and settles the row, in the transaction of what it records. What it throws is logged; the row is run again. */
  run(lease: Lease<Key>, tools: RunTools<Table>): Promise<void>
}
