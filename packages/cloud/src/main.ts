import { runProgram } from '@plantroom/base/program'
import { readConfig } from './config.ts'
import { startCloud } from './wire/cloud.ts'

const usage = `plantroom cloud: runs the HTTP API, the broker and the database.

Settings come from the environment: see docs/reference/settings.md.`

await runProgram({ name: 'cloud', usage, start: () => startCloud(readConfig()) })
