import { systemClock } from '@plantroom/base/clock'
import type { Installation } from '@plantroom/base/operate'
import type { Environment } from '@plantroom/base/settings'
import { CLOUD_SETTINGS, describeSettings, secretValues } from '@plantroom/contract/settings'
import { VERSION } from '@plantroom/contract/version'
import { type CloudConfig, findCloudSettings, readConfig } from '../config.ts'
import { cloudChecks } from './doctor.ts'
import { cloudFacts } from './support-facts.ts'

/** The cloud and its workers, as the commands of an operator see them. */
export const cloudInstallation = (env?: Environment): Installation<CloudConfig> => ({
  prefix: 'plantroom',
  version: VERSION,
  clock: systemClock,
  findSettings: (path) => findCloudSettings(path, env),
  readConfig: (found) => readConfig(found.values, found),
  describe: (found) => describeSettings(CLOUD_SETTINGS, found),
  secretsOf: ({ values }) => secretValues(CLOUD_SETTINGS, values),
  checks: (config) => cloudChecks(config, systemClock),
  facts: cloudFacts,
  units: ['plantroom-cloud', 'plantroom-worker'],
})
