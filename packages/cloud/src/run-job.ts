import { systemClock } from '@plantroom/base/clock'
import { createLog, logOutput } from '@plantroom/base/log'
import { readConfig } from './config.ts'
import { runJobProcess } from './platform/jobs/index.ts'
import { openJobHandlers } from './wire/job-process.ts'

const config = readConfig()
const log = createLog('job', config.logLevel, logOutput(config.logStyle))

await runJobProcess({ clock: systemClock, open: (signal) => openJobHandlers(config, log, signal) })
