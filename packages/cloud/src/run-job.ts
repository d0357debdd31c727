import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { readConfig } from './config.ts'
import { runInChild } from './jobs/run-in-child.ts'
import { openJobHandlers } from './wire-jobs.ts'

const config = readConfig()
const log = createLog('job', config.logLevel)

await runInChild({ clock: systemClock, open: (signal) => openJobHandlers(config, log, signal) })
