import { systemClock } from '@plantroom/base/clock'
import { type Installation, runOperatorCommand } from '@plantroom/base/operate'
import type { Environment } from '@plantroom/base/settings'
import { describeSettings, EDGE_SETTINGS, secretValues } from '@plantroom/contract/settings'
import { VERSION } from '@plantroom/contract/version'
import { type EdgeConfig, findEdgeSettings, readConfig } from './config.ts'
import { edgeChecks } from './doctor/checks.ts'
import { edgeFacts } from './doctor/facts.ts'

/** A controller, as the commands of an operator see it. */
export const edgeInstallation = (env?: Environment): Installation<EdgeConfig> => ({
  prefix: 'plantroom edge',
  version: VERSION,
  clock: systemClock,
  findSettings: (path) => findEdgeSettings(path, env),
  readConfig: (found) => readConfig(found.values, found),
  describe: (found) => describeSettings(EDGE_SETTINGS, found),
  secretsOf: ({ values }) => secretValues(EDGE_SETTINGS, values),
  checks: (config) => edgeChecks(config, systemClock),
  facts: edgeFacts,
  units: ['plantroom-edge'],
})

/** Runs `plantroom edge config`, `doctor` or `support` and returns the exit code. */
export function runEdgeOperator(args: readonly string[]): Promise<number> {
  return runOperatorCommand(args, edgeInstallation(), {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  })
}
