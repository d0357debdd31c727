import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { ReportCode, ReportedValue, ReportPhase, ReportReason } from '@plantroom/contract/reports'
import type { ColumnType, Generated } from 'kysely'

/** The tables as Kysely sees them. The migrations are what makes them so. */
export interface Schema {
  organization: OrganizationTable
  site: SiteTable
  device: DeviceTable
  technical_system: TechnicalSystemTable
  api_key: ApiKeyTable
  api_key_site: ApiKeySiteTable
  user_account: UserAccountTable
  membership: MembershipTable
  report: ReportTable
  measurement: MeasurementTable
  measurement_gap: MeasurementGapTable
}

type CreatedAt = ColumnType<Date, never, never>

interface OrganizationTable {
  id: string
  name: string
  created_at: CreatedAt
}

interface SiteTable {
  id: string
  organization_id: string
  name: string
  time_zone: Generated<string>
  created_at: CreatedAt
}

interface DeviceTable {
  id: string
  organization_id: string
  site_id: string
  name: string
  secret_hash: Buffer
  created_at: CreatedAt
}

interface TechnicalSystemTable {
  id: string
  device_id: string
  name: string
  document: ColumnType<TechnicalSystem, string, string>
  created_at: CreatedAt
}

interface ApiKeyTable {
  id: string
  organization_id: string
  name: string
  secret_hash: Buffer
  permissions: string[]
  all_sites: boolean
  created_at: CreatedAt
  last_used_at: Date | null
  revoked_at: Date | null
}

interface ApiKeySiteTable {
  api_key_id: string
  organization_id: string
  site_id: string
}

interface UserAccountTable {
  id: string
  email: string
  password_hash: string
  created_at: CreatedAt
}

interface MembershipTable {
  id: Generated<string>
  user_id: string
  organization_id: string
  site_id: string | null
  role: 'admin' | 'manager' | 'viewer'
}

interface ReportTable {
  device_id: string
  id: string
  /** A `bigint`, which is read as text. */
  position: Generated<string>
  organization_id: string
  site_id: string
  code: ReportCode
  at: Date
  technical_system_id: string
  connection_id: string
  datapoint_id: string
  override_id: string | null
  req_id: string | null
  phase: ReportPhase
  reason: ReportReason
  value_before: ReportedValue
  value: ReportedValue
  read_back: ReportedValue
  seq: string
}

interface MeasurementTable {
  device_id: string
  datapoint_id: string
  at: Date
  value: number
}

interface MeasurementGapTable {
  device_id: string
  from_at: Date
  to_at: Date
  dropped: string
}
