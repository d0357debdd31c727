import type { Alert, AlertRules, AlertStep } from '@plantroom/contract/alerts'
import type { ControlState } from '@plantroom/contract/control-state'
import type { DeviceHealth } from '@plantroom/contract/health'
import type { PowerLimitState } from '@plantroom/contract/power-limit'
import type { DatapointValue } from '@plantroom/contract/values'
import type { Delivery, WebhookEventType } from '@plantroom/contract/webhooks'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** The tables of alerts, of what they are decided from, and of webhooks. */
export interface AlertTables {
  webhook: WebhookTable
  webhook_event: WebhookEventTable
  webhook_delivery: WebhookDeliveryTable
  alert: AlertTable
  alert_step: AlertStepTable
  push_subscription: PushSubscriptionTable
  push_message: PushMessageTable
  alert_rules: AlertRulesTable
  alert_mail: AlertMailTable
  alert_evaluator: AlertEvaluatorTable
  device_presence: DevicePresenceTable
  device_health: DeviceHealthTable
  device_state: DeviceStateTable
  device_measured: DeviceMeasuredTable
}

interface WebhookTable {
  id: string
  organization_id: string
  url: string
  types: WebhookEventType[]
  site_ids: string[] | null
  /** Encrypted, like the one before it. */
  secret: Buffer
  previous_secret: Buffer | null
  previous_until: Date | null
  created_at: Generated<Date>
  disabled_at: Date | null
  disabled_reason: string | null
  failing_since: Date | null
  asked: Generated<number>
  asked_until: Date | null
  was_slow: Generated<boolean>
}

interface WebhookEventTable {
  id: string
  organization_id: string
  site_id: string | null
  type: WebhookEventType
  at: Generated<Date>
  /** JSON. */
  data: string
}

interface WebhookDeliveryTable {
  id: string
  /** A `bigint`, which the driver returns as text. */
  position: Generated<string>
  organization_id: string
  event_id: string
  webhook_id: string
  state: Generated<Delivery['state']>
  attempts: Generated<number>
  claim: Generated<number>
  due_at: Generated<Date>
  leased_until: Generated<Date | null>
  created_at: Generated<Date>
  last_attempt_at: Date | null
  status: number | null
  response: string | null
  error: string | null
}

interface AlertTable {
  id: string
  position: Generated<string>
  organization_id: string
  site_id: string
  device_id: string | null
  device_name: string | null
  kind: Alert['kind']
  subject_kind: Alert['subject']['kind']
  subject_id: string
  subject_name: string
  details: ColumnType<Record<string, unknown>, string, string>
  began_at: Date
  opened_at: Date
  clear_since: Date | null
  closed_at: Date | null
  told_open: Generated<boolean>
  told_close: Generated<boolean>
  acknowledged_at: Date | null
  acknowledged_by: string | null
  assignee: string | null
  snoozed_until: Date | null
  request_number: number | null
  is_comment_due: Generated<boolean>
}

interface PushSubscriptionTable {
  id: string
  endpoint: string
  session_id: string
  user_id: string
  p256dh: Buffer
  auth: Buffer
  created_at: Date
}

interface PushMessageTable {
  id: string
  organization_id: string
  subscription_id: string
  /** JSON. */
  payload: string
  due_at: Date
  leased_until: Date | null
  claim: Generated<number>
  attempts: Generated<number>
}

interface AlertStepTable {
  position: Generated<string>
  alert_id: string
  at: Date
  by_name: string
  step: AlertStep['step']
  text: string | null
}

interface AlertRulesTable {
  organization_id: string
  document: ColumnType<AlertRules, string, string>
}

interface AlertMailTable {
  organization_id: string
  told_at: Date
  hour_ends_at: Date
  mails: number
}

interface AlertEvaluatorTable {
  id: Generated<number>
  holder: string | null
  until: Date
  checked_at: Date | null
}

interface DevicePresenceTable {
  device_id: string
  online: boolean
  since: Date
}

interface DeviceStateTable {
  device_id: string
  received_at: Date
  document: ColumnType<ControlState, string, string>
  held: number
  troubled: number
  /** Computed from the document. */
  power_limit: GeneratedAlways<Pick<PowerLimitState, 'state' | 'importKw' | 'exportKw'> | null>
  live_values: ColumnType<Record<string, DatapointValue & { connectionId: string }>, string | undefined, string>
}

interface DeviceHealthTable {
  device_id: string
  received_at: Date
  document: ColumnType<DeviceHealth, string, string>
  has_trouble: boolean
}

interface DeviceMeasuredTable {
  device_id: string
  at: Date
}
