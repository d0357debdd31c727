import type { Profile } from '@plantroom/contract/openadr-profile'

/**
 * E.ON SWITCH in Sweden: one event for each resource and quarter of an hour, with a ceiling for its mean power. A ceiling may
 * change before it starts. After the delivery, the VTN adds to the same event what it measured.
 */
export const SWITCH: Profile = {
  name: 'switch',
  title: 'E.ON SWITCH',
  versions: ['3.0'],
  payloads: {
    CONSUMPTION_POWER_LIMIT: { meaning: 'limit', direction: 'import', unit: 'KW', minimum: 0 },
    PRODUCTION_POWER_LIMIT: { meaning: 'limit', direction: 'export', unit: 'KW', minimum: 0 },
    POWER_LIMIT_VERSION: { meaning: 'information' },
    POWER_LIMIT_VALIDATION_STATUS: { meaning: 'information' },
    POWER_LIMIT_VALIDATION_TIMESTAMP: { meaning: 'information' },
    POWER_LIMIT_VALIDATION_READING: { meaning: 'information', unit: 'KW' },
  },
  reports: {
    POWER_LIMIT_ACKNOWLEDGEMENT: { content: 'acknowledgement', isUnasked: true },
  },
  onSilence: 'keep',
  clockToleranceSeconds: 5,
}
