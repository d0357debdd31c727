import { runProgram } from '@plantroom/base/program'
import { VERSION } from '@plantroom/contract/version'
import { loadConfig, ownServiceManager } from './config.ts'
import { startWorkerProcess } from './wire/worker.ts'

const usage = `plantroom worker [--config FILE]: runs the jobs of the cloud (previews, imports and exports of packages) and sends its mail.

You can run several workers with one database. Settings come from the environment and from plantroom.yaml, as for the cloud:
see docs/reference/settings.md.`

const stop = new AbortController()
// Starting waits for the database, so it must be possible to stop before that.
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(signal, () => stop.abort())

await runProgram({
  name: 'worker',
  usage,
  version: VERSION,
  start: async (file) => startWorkerProcess(await loadConfig(file), stop.signal),
  serviceManager: ownServiceManager(),
})
