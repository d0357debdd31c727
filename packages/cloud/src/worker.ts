import { runProgram } from '@plantroom/base/program'
import { readConfig } from './config.ts'
import { startWorkerProcess } from './wire-worker.ts'

const usage = `plantroom worker: runs the jobs of the cloud (previews, imports and exports of packages) and sends its mail.

As many as like may run beside one database. Settings come from the environment and are those of the cloud: see
docs/reference/settings.md.`

const stop = new AbortController()
// A start may wait for the database for as long as it takes.
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(signal, () => stop.abort())

await runProgram({ name: 'worker', usage, start: () => startWorkerProcess(readConfig(), stop.signal) })
