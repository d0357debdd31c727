import type { Actor } from '@plantroom/contract/activity'
import type { ControlState, Memory } from '@plantroom/contract/control-state'
import type { RestoreOutcome } from '@plantroom/contract/replacement'
import type { ColumnType, Generated } from 'kysely'

/** The tables of controllers that are replaced. */
export interface ReplacementTables {
  device_replacement: DeviceReplacementTable
  override_cancelled: OverrideCancelledTable
}

interface DeviceReplacementTable {
  device_id: string
  id: string
  requested_at: Date
  requested_by: ColumnType<Actor, string, string>
  state: ColumnType<ControlState | null, string | null, string | null>
  state_at: Date | null
  finished_at: Date | null
  outcome: RestoreOutcome | null
  problem: string | null
  cause: Generated<'replaced' | 'memory-lost'>
  memory: ColumnType<Pick<Memory, 'id' | 'run' | 'lost'> | null, string | null, string | null>
}

interface OverrideCancelledTable {
  device_id: string
  override_id: string
  at: Date
}
