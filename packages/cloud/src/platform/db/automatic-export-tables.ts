import type { Actor } from '@plantroom/contract/activity'
import type {
  ExportDelivery,
  ExportRetention,
  ExportRun,
  ExportSchedule,
  TargetPlace,
  TargetTest,
} from '@plantroom/contract/automatic-exports'
import type { ColumnType, Generated } from 'kysely'

/** The tables of exports by a schedule. */
export interface AutomaticExportTables {
  automatic_export: AutomaticExportTable
  automatic_export_target: AutomaticExportTargetTable
  automatic_export_run: AutomaticExportRunTable
  automatic_export_delivery: AutomaticExportDeliveryTable
  automatic_export_test: AutomaticExportTestTable
  automatic_export_asked: AutomaticExportAskedTable
  automatic_export_look: AutomaticExportLookTable
}

interface AutomaticExportTable {
  site_id: string
  organization_id: string
  enabled: boolean
  schedule: ColumnType<ExportSchedule, string, string>
  retention: ColumnType<ExportRetention, string, string>
  time_zone: string
  next_at: Date
  key_id: string | null
  changed_at: Date
}

interface AutomaticExportTargetTable {
  id: string
  site_id: string
  place: number
  label: string
  settings: ColumnType<TargetPlace, string, string>
  /** Encrypted. */
  secret: Buffer | null
  last_success_at: Generated<Date | null>
  failing_since: Generated<Date | null>
  last_error: Generated<string | null>
  cleanup_error: Generated<string | null>
  was_slow: Generated<boolean>
}

interface AutomaticExportRunTable {
  id: string
  /** A `bigint`, which the driver returns as text. */
  position: Generated<string>
  organization_id: string
  site_id: string
  due_at: Date
  started_by: ColumnType<Actor | null, string | null, never>
  state: Generated<ExportRun['state']>
  attempts: Generated<number>
  start_at: Date
  job_id: Generated<string | null>
  bytes: Generated<string | null>
  tickets: Generated<number | null>
  error: Generated<string | null>
  ended_at: Generated<Date | null>
}

interface AutomaticExportDeliveryTable {
  organization_id: string
  run_id: string
  target_id: string
  label: string
  filename: string
  state: Generated<ExportDelivery['state']>
  attempts: Generated<number>
  claim: Generated<number>
  due_at: Date
  leased_until: Generated<Date | null>
  delivered_at: Generated<Date | null>
  removed_at: Generated<Date | null>
  error: Generated<string | null>
}

interface AutomaticExportLookTable {
  id: Generated<number>
  looked_at: Date
}

/** A test of a target that waits for a worker, or whose outcome waits for the cloud. */
interface AutomaticExportAskedTable {
  id: string
  organization_id: string
  site_id: string
  target_id: string
  settings: ColumnType<TargetPlace, string, never>
  /** Encrypted. */
  secret: Buffer | null
  due_at: Date
  leased_until: Generated<Date | null>
  claim: Generated<number>
  attempts: Generated<number>
  outcome: ColumnType<TargetTest | null, never, string>
}

interface AutomaticExportTestTable {
  site_id: string
  asked: number
  asked_until: Date
}
