import type { OpenadrCheck } from '@plantroom/contract/openadr'
import type { AveragingSeconds, Direction } from '@plantroom/contract/power-limit'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** The tables of OpenADR. */
export interface OpenadrTables {
  openadr_program: OpenadrProgramTable
  openadr_event: OpenadrEventTable
  openadr_placement: OpenadrPlacementTable
  openadr_report: OpenadrReportTable
  openadr_check: OpenadrCheckTable
  openadr_opt_out: OpenadrOptOutTable
  openadr_cleanup: OpenadrCleanupTable
}

/** Written as text. `control/openadr` knows what it holds. */
type Document = ColumnType<unknown, string, string>

interface Work {
  due_at: Generated<Date>
  leased_until: Generated<Date | null>
  claim: Generated<number>
  attempts: Generated<number>
}

interface OpenadrProgramTable extends Work {
  id: string
  organization_id: string
  name: string
  active: boolean
  settings: Document
  secret: Buffer
  notify_token: string
  site_ids: string[]
  created_at: Generated<Date>
  poll_at: Generated<Date>
  reconcile_at: Generated<Date>
  polled_at: Date | null
  failing_since: Date | null
  failures: Generated<number>
  problem: string | null
  found: ColumnType<unknown, string | undefined, string>
  made_resources: Generated<string[]>
  reported_until: Date | null
  last_check: ColumnType<OpenadrCheck | null, string | null, string | null>
  asked: Generated<number>
  asked_until: Date | null
  was_slow: Generated<boolean>
}

interface OpenadrEventTable {
  id: string
  position: GeneratedAlways<string>
  program_id: string
  vtn_id: string
  version: string
  known: Document
  starts_at: Date | null
  ends_at: Date | null
  first_seen_at: Date
  changed_at: Date
  deleted_at: Date | null
  notes: ColumnType<unknown, string | undefined, string>
  resources: Generated<string[]>
}

interface OpenadrPlacementTable {
  id: string
  program_id: string
  event_id: string | null
  key: string
  interval_id: number | null
  resource_name: string
  payload: string
  kind: 'setpoint' | 'limit'
  site_id: string | null
  datapoint_id: string | null
  direction: Direction | null
  averaging_seconds: AveragingSeconds | null
  value: number
  from_at: Date
  to_at: Date
  created_at: Date
  dispatch_id: string | null
  attempt: Generated<number>
  reason: string | null
  replaced_by: string | null
  ended_at: Date | null
}

interface OpenadrReportTable extends Work {
  id: string
  position: GeneratedAlways<string>
  program_id: string
  organization_id: string
  event_id: string | null
  key: string
  due: Document
  body: ColumnType<unknown, string | null | undefined, string | null>
  payloads: string[]
  resources: string[]
  from_at: Date | null
  to_at: Date | null
  state: Generated<'waiting' | 'sent' | 'refused'>
  posted: Generated<boolean>
  should_at: Date
  sent_at: Date | null
  status: number | null
  answer: string | null
  error: string | null
}

interface OpenadrCheckTable extends Work {
  id: string
  program_id: string
  organization_id: string
  outcome: ColumnType<OpenadrCheck | null, string | null | undefined, string | null>
}

interface OpenadrOptOutTable {
  id: string
  event_id: string
  resource_name: string
  reason: string
  opted_by: string
  from_at: Date
  ended_at: Date | null
}

interface OpenadrCleanupTable extends Work {
  id: string
  organization_id: string
  program_id: string
  program_name: string
  settings: Document
  secret: Buffer
  notify_token: string
  ven_id: string | null
  subscriptions: string[]
  resources: string[]
  created_at: Date
}
