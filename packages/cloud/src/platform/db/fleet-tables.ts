import type { DispatchState, Outcome, Release } from '@plantroom/contract/fleet'
import type { AveragingSeconds, Direction } from '@plantroom/contract/power-limit'
import type { Generated, GeneratedAlways } from 'kysely'

/** The tables of fleet dispatches, as the migrations create them. */
export interface FleetTables {
  fleet_dispatch: FleetDispatchTable
  fleet_target: FleetTargetTable
  writable_datapoint: WritableDatapointTable
  listed_datapoint: ListedDatapointTable
  limited_meter: LimitedMeterTable
}

interface FleetDispatchTable {
  id: string
  seq: GeneratedAlways<string>
  organization_id: string
  site_ids: string[]
  targets: number
  placed_by: string
  placed_by_name: string
  idempotency_key: string
  request_hash: string
  value: number | null
  total_kw: number | null
  stagger_seconds: number
  reason: string | null
  from_at: Date
  to_at: Date
  deadline: Date
  created_at: Date
  state: Generated<DispatchState>
  ended_at: Date | null
  cancelled_by: string | null
  cancelled_by_name: string | null
  kind: Generated<'setpoint' | 'limit'>
  direction: Direction | null
  averaging_seconds: AveragingSeconds | null
}

interface FleetTargetTable {
  dispatch_id: string
  position: number
  device_id: string
  site_id: string
  datapoint_id: string
  value: number
  from_at: Date
  to_at: Date
  outcome: Generated<Outcome>
  override_id: string | null
  reason: string | null
  settled_at: Date | null
  release: Release | null
  sent_until: Date | null
  round: Generated<number>
  is_replaced: Generated<boolean>
  is_lost: Generated<boolean>
}

/** Kept by a trigger on `technical_system`. */
interface WritableDatapointTable {
  technical_system_id: string
  id: string
  device_id: string
  name: string
  unit: string | null
  min: number | null
  max: number | null
  tags: string[]
}

/** Every datapoint, kept by a trigger on `technical_system`. */
interface ListedDatapointTable {
  technical_system_id: string
  id: string
  device_id: string
  organization_id: string
  name: string
  search: string
  unit: string | null
  tags: string[]
  is_peak_meter: boolean
  is_power: boolean
}

/** The meter of each commissioned power limit, kept by a trigger on `technical_system`. */
interface LimitedMeterTable {
  technical_system_id: string
  id: string
  device_id: string
  guaranteed_kw: number
  import_kw: number
  export_kw: number
}
