import { runProgram } from '@plantroom/base/program'
import { VERSION } from '@plantroom/contract/version'
import { loadConfig, ownServiceManager } from './config.ts'
import { startCloudWhenReady } from './wire/cloud.ts'

const usage = `plantroom cloud [--config FILE]: runs the HTTP API, the broker and the database.

Settings come from the environment and from plantroom.yaml: see docs/reference/settings.md. "plantroom config check" checks
them, "plantroom doctor" everything that the service needs.`

await runProgram({
  name: 'cloud',
  usage,
  version: VERSION,
  start: async (file) => startCloudWhenReady(await loadConfig(file)),
  serviceManager: ownServiceManager(),
})
