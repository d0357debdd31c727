import type { ActivityAction, Actor } from '@plantroom/contract/activity'
import type { RolledBack } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { MeterTestSettings } from '@plantroom/contract/judge-meter'
import type { OutputTestResult } from '@plantroom/contract/output-test'
import type { Permission } from '@plantroom/contract/permissions'
import type { LimitInterval } from '@plantroom/contract/power-limit'
import type {
  ReportCaller,
  ReportCode,
  ReportedValue,
  ReportPhase,
  ReportReason,
  SourceInCharge,
} from '@plantroom/contract/reports'
import type { Role, SiteRole } from '@plantroom/contract/roles'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { AlertTables } from './alert-tables.ts'
import type { AutomaticExportTables } from './automatic-export-tables.ts'
import type { FleetTables } from './fleet-tables.ts'
import type { OpenadrTables } from './openadr-tables.ts'
import type { ReplacementTables } from './replacement-tables.ts'
import type { CreatedAt, RequestTables } from './request-tables.ts'
import type { UploadTables } from './upload-tables.ts'

/** The tables, as the migrations create them. */
export interface Schema
  extends RequestTables,
    UploadTables,
    FleetTables,
    OpenadrTables,
    AlertTables,
    AutomaticExportTables,
    ReplacementTables {
  instance: { id: string }
  organization: OrganizationTable
  site: SiteTable
  site_tag: SiteTagTable
  device: DeviceTable
  broker_service: BrokerServiceTable
  technical_system: TechnicalSystemTable
  written_address: WrittenAddressTable
  commissioning_version: CommissioningVersionTable
  api_key: ApiKeyTable
  api_key_site: ApiKeySiteTable
  override_owner: OverrideOwnerTable
  output_test: OutputTestTable
  override_release: OverrideReleaseTable
  device_task: DeviceTaskTable
  user_account: UserAccountTable
  membership: MembershipTable
  pending_membership: MembershipTable
  user_session: UserSessionTable
  account_link: AccountLinkTable
  user_identity: UserIdentityTable
  used_sign_in_state: UsedSignInStateTable
  known_device: KnownDeviceTable
  sign_in_failure: SignInFailureTable
  totp: TotpTable
  recovery_code: RecoveryCodeTable
  passkey: PasskeyTable
  sign_in_challenge: SignInChallengeTable
  report: ReportTable
  report_chain: ReportChainTable
  activity: ActivityTable
  activity_head: ActivityHeadTable
  activity_sink: ActivitySinkTable
  activity_sent: ActivitySentTable
  measurement_series: MeasurementSeriesTable
  measurement_frame: MeasurementFrameTable
  measurement_block: MeasurementBlockTable
  measurement_orphan: MeasurementOrphanTable
  measurement_upkeep: MeasurementUpkeepTable
  measurement_gap: MeasurementGapTable
  dismissed_checklist: DismissedChecklistTable
  work_turn: WorkTurnTable
  duty: DutyTable
}

interface WorkTurnTable {
  kind: string
  organization_id: string
  taken_at: Date
}

interface DutyTable {
  name: string
  organization_id: Generated<string>
  due_at: Generated<Date>
  leased_until: Generated<Date | null>
  claim: Generated<number>
  attempts: Generated<number>
}

interface DismissedChecklistTable {
  user_id: string
  organization_id: string
}

interface OrganizationTable {
  id: string
  name: string
  requires_second_factor: Generated<boolean>
  measurement_days: Generated<number | null>
  created_at: CreatedAt
}

interface SiteTable {
  id: string
  organization_id: string
  name: string
  time_zone: Generated<string>
  maintenance_requests: Generated<boolean>
  created_at: CreatedAt
}

interface SiteTagTable {
  organization_id: string
  site_id: string
  tag: string
}

interface DeviceTable {
  id: string
  organization_id: string
  site_id: string
  name: string
  secret_hash: Buffer
  broker_password: Generated<string | null>
  created_at: CreatedAt
}

interface BrokerServiceTable {
  id: string
  only_row: Generated<boolean>
}

interface TechnicalSystemTable {
  id: string
  device_id: string
  name: string
  document: ColumnType<TechnicalSystem, string, string>
  created_at: CreatedAt
}

interface WrittenAddressTable {
  technical_system_id: string
  datapoint_id: string
  device_id: string
  connection: string
  datapoint: string
  space: string
  range_start: number
  range_end: number
  reach: 'site' | 'everywhere'
}

interface CommissioningVersionTable {
  device_id: string
  version: number
  technical_system_id: string
  document: ColumnType<TechnicalSystem, string, string>
  changed_at: Date | null
  changed_by: ColumnType<Actor | null, string | null, never>
  load_id: string | null
  templates: Generated<string[]>
  rolled_back: ColumnType<Omit<RolledBack, 'loadIds'> | null, string | null | undefined, string>
}

interface ApiKeyTable {
  id: string
  organization_id: string
  name: string
  secret_hash: Buffer
  permissions: Permission[]
  all_sites: boolean
  created_at: CreatedAt
  last_used_at: Date | null
  last_used_from: string | null
  expires_at: Date | null
  rotated_at: Date | null
  /** The secret before the last rotation. */
  previous_hash: Buffer | null
  previous_until: Date | null
  revoked_at: Date | null
}

interface OverrideOwnerTable {
  device_id: string
  override_id: string
  placed_by: string
  ends_at: Date
}

interface OutputTestTable {
  number: GeneratedAlways<string>
  device_id: string
  override_id: string
  datapoint_id: string
  datapoint_name: string
  value: number
  seconds: number
  meter_id: string | null
  meter_name: string | null
  settings: ColumnType<MeterTestSettings | null, string | null, never>
  wiring: string | null
  started_at: Date
  started_by: string | null
  moved: Generated<boolean | null>
  note: Generated<string | null>
  answered_at: Generated<Date | null>
}

interface OverrideReleaseTable {
  device_id: string
  placed_by: string
  requested_at: Date
  confirmed: Generated<boolean>
  requested_by: Generated<string>
  requested_by_name: Generated<string>
  override_id: Generated<string>
  reason: Generated<string>
}

interface DeviceTaskTable {
  device_id: string
  kind: string
  subject: string
  organization_id: string
  due_at: Date
  ends_at: Date | null
  leased_until: Date | null
  claim: Generated<number>
  attempts: Generated<number>
  sent_until: Date | null
}

interface ApiKeySiteTable {
  api_key_id: string
  organization_id: string
  site_id: string
}

interface UserAccountTable {
  id: string
  email: string
  /** `null` until an invited person sets a password. */
  password_hash: string | null
  /** True when only the owner of the address can have set the password, or the provider of an account without one. */
  password_by_mail: Generated<boolean>
  /** Counts the changes of its identities. */
  identity_version: Generated<number>
  last_seen_at: Date | null
  /** `null` leaves the choice to the browser. */
  language: string | null
  locale: string | null
  created_at: CreatedAt
}

interface MembershipTable {
  id: Generated<string>
  user_id: string
  organization_id: string
  site_id: string | null
  /** `group`: the role is `group_role`, on the sites with `site_tag`, or on all sites without it. */
  role: Role | 'group'
  group_role: Generated<SiteRole | null>
  site_tag: Generated<string | null>
}

interface UserSessionTable {
  token_hash: Buffer
  id: Generated<string>
  /** `null` for sessions from before they were recorded. */
  address: string | null
  browser: string | null
  user_id: string
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  /** When the person last proved who they are. */
  verified_at: Generated<Date>
  /** The session was opened with a second factor. */
  second_factor: Generated<boolean>
  /** The provider that the session was opened through, and how it authenticated the person; `null` for a password. */
  issuer: Generated<string | null>
  amr: Generated<string[] | null>
  acr: Generated<string | null>
}

interface UserIdentityTable {
  issuer: string
  subject: string
  user_id: string
  email: string | null
  linked_at: Date
  last_used_at: Date | null
}

interface UsedSignInStateTable {
  state_hash: Buffer
  expires_at: Date
}

interface AccountLinkTable {
  token_hash: Buffer
  user_id: string
  /** `null` for a link that only sets a new password. */
  organization_id: string | null
  mailed: boolean
  expires_at: Date
}

interface KnownDeviceTable {
  subject: Buffer
  user_id: string
  expires_at: Date
}

interface TotpTable {
  user_id: string
  /** Encrypted. */
  secret: Buffer
  confirmed_at: Date | null
  last_step: Generated<number>
}

interface RecoveryCodeTable {
  user_id: string
  code_hash: Buffer
}

interface PasskeyTable {
  id: string
  user_id: string
  credential_id: string
  rp_id: string
  public_key: Buffer
  /** The driver returns it as text. */
  counter: ColumnType<string, number, number>
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
}

interface SignInChallengeTable {
  token_hash: Buffer
  purpose: 'second-factor' | 'passkey' | 'add-passkey' | 'verify'
  user_id: string | null
  password_hash: string | null
  to_sign: string | null
  /** How a provider authenticated the person in the first step, as JSON. */
  provider: Generated<string | null>
  attempts: Generated<number>
  expires_at: Date
}

interface SignInFailureTable {
  subject: Buffer
  failures: number
  strikes: Generated<number>
  ends_at: Date
}

interface ReportChainTable {
  device_id: string
  id: string
  /** A `bigint`, which the driver returns as text. */
  position: Generated<string>
  organization_id: string
  entry: string
  key: string | null
  signature: string | null
}

/** `seq` is a `bigint`, which the driver returns as text. */
interface ActivityHeadTable {
  chain: string
  seq: string
  hash: string | null
}

interface ActivityTable {
  chain: string
  seq: string
  at: Date
  entry: string
  key: string
  signature: string
  action: ColumnType<ActivityAction, never, never>
  site_id: ColumnType<string | null, never, never>
  actor_id: ColumnType<string | null, never, never>
  subject_id: ColumnType<string | null, never, never>
}

interface ActivitySinkTable {
  sink: string
}

interface ActivitySentTable {
  sink: string
  chain: string
  seq: string
}

interface ReportTable {
  device_id: string
  id: string
  /** A `bigint`, which the driver returns as text. */
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
  placed_by: ReportCaller | null
  cancelled_by: ReportCaller | null
  /** Of a power limit, in entries of the phase `interval`. */
  interval: LimitInterval | null
  interval_from: Date | null
  interval_kept: boolean | null
  /** In entries of the phase `tested`. */
  test: OutputTestResult | null
  /** What the equipment follows instead of the controller. */
  in_charge: SourceInCharge | null
}

interface MeasurementSeriesTable {
  device_id: string
  datapoint_id: string
  group_id: number
  slot: number
}

interface MeasurementFrameTable {
  group_id: number
  at: string
  vals: (number | null)[]
  seconds: number | null
  spans: Buffer | null
  exceptions: Buffer | null
}

interface MeasurementBlockTable {
  group_id: number
  slot: number
  day: number
  part: number
  count: number
  hours: Buffer | null
  data: Buffer
}

interface MeasurementOrphanTable {
  device_id: string
  since: Date
}

interface MeasurementUpkeepTable {
  compacted_at: Date
}

interface MeasurementGapTable {
  device_id: string
  from_at: Date
  to_at: Date
  dropped: string
}
