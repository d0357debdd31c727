import type { PayloadRule, Profile, ReportRule } from '@plantroom/contract/openadr-profile'

/** The payloads and reports that the definitions of the OpenADR Alliance have, as far as a building can act on them. */

const importLimit: PayloadRule = { meaning: 'limit', direction: 'import', unit: 'KW', minimum: 0 }
const exportLimit: PayloadRule = { meaning: 'limit', direction: 'export', unit: 'KW', minimum: 0 }

const payloads: Readonly<Record<string, PayloadRule>> = {
  SIMPLE: { meaning: 'level', minimum: 0, maximum: 3, isWhole: true },
  CONTROL_SETPOINT: { meaning: 'setpoint' },
  DISPATCH_SETPOINT: { meaning: 'setpoint' },
  CHARGE_STATE_SETPOINT: { meaning: 'setpoint', minimum: 0 },
  CONTROL_LEVEL_OFFSET: { meaning: 'level', minimum: -10, maximum: 10, isWhole: true },
  IMPORT_CAPACITY_LIMIT: importLimit,
  EXPORT_CAPACITY_LIMIT: exportLimit,
  IMPORT_CAPACITY_SUBSCRIPTION: { ...importLimit, fallbackFor: 'IMPORT_CAPACITY_LIMIT' },
  EXPORT_CAPACITY_SUBSCRIPTION: { ...exportLimit, fallbackFor: 'EXPORT_CAPACITY_LIMIT' },
  PRICE: { meaning: 'price' },
  EXPORT_PRICE: { meaning: 'price' },
  GHG: { meaning: 'information' },
  ALERT_GRID_EMERGENCY: { meaning: 'information' },
  ALERT_BLACK_START: { meaning: 'information' },
  ALERT_POSSIBLE_OUTAGE: { meaning: 'information' },
  ALERT_FLEX_ALERT: { meaning: 'information' },
  ALERT_OTHER: { meaning: 'information' },
}

const reports: Readonly<Record<string, ReportRule>> = {
  SETPOINT: { content: 'setpoint' },
  OPERATING_STATE: { content: 'operating-state' },
  USAGE: { content: 'usage', unit: 'KWH' },
  DEMAND: { content: 'demand', unit: 'KW' },
  BASELINE: { content: 'baseline', unit: 'KW' },
  DATA_QUALITY: { content: 'data-quality' },
}

const common = { payloads, reports, onSilence: 'keep', clockToleranceSeconds: 5 } as const

export const ALLIANCE_3_0: Profile = {
  ...common,
  name: 'alliance-3.0',
  title: 'OpenADR Alliance, 3.0',
  versions: ['3.0'],
}

export const ALLIANCE_3_1: Profile = {
  ...common,
  name: 'alliance-3.1',
  title: 'OpenADR Alliance, 3.1',
  versions: ['3.1'],
}
