import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { supervise } from '../supervise.ts'

/** Supervises one part, reports its process id, and runs until it is killed. */
const part = await supervise({
  name: 'part',
  program: join(import.meta.dirname, 'part.ts'),
  environment: () => process.env,
  logFile: process.argv[2] ?? '',
  clock: systemClock,
  onRestart() {},
})
process.send?.(part.pid)
