import type { Profile } from '@plantroom/contract/openadr-profile'

/**
 * Dutch grid operators (OpenADR DER profile 1.0): a baseline for a group of resources without end, and events that call
 * flexibility from it. The ceiling of an interval is the newest baseline minus the flexibility. The profile fixes every unit, and
 * the client that its operators use cannot read a report with payload descriptors.
 */
export const NLFLEX: Profile = {
  name: 'nlflex-1.0',
  title: 'NL-Flex 1.0',
  versions: ['3.1'],
  payloads: {
    ACTIVE_BASELINE: { meaning: 'baseline', unit: 'KW' },
    RESERVED_BASELINE: { meaning: 'information', unit: 'KW' },
    FLEX: { meaning: 'flexibility', direction: 'import', unit: 'KW', minimum: 0, below: 'ACTIVE_BASELINE' },
    ACTIVE_FLEX_DELTA_OVERRIDE: { meaning: 'information', unit: 'KW' },
    RESERVED_FLEX_DELTA_OVERRIDE: { meaning: 'information', unit: 'KW' },
    ACTIVE_FLEX_DELTA_OVERRIDE_REASON: { meaning: 'information' },
    RESERVED_FLEX_DELTA_OVERRIDE_REASON: { meaning: 'information' },
    REPORT_ID: { meaning: 'information' },
  },
  reports: {
    ACK: { content: 'acknowledgement', isAggregated: true, isUndescribed: true },
    DELIVERED_FLEX: {
      content: 'delivered-flexibility',
      unit: 'KW',
      isAggregated: true,
      stepSeconds: 900,
      decimals: 2,
      isUndescribed: true,
    },
    OPERATIONAL_STATUS: { content: 'operational-status', reportName: 'OPERATIONAL_STATUS', isUndescribed: true },
  },
  onSilence: 'keep',
  clockToleranceSeconds: 5,
}
