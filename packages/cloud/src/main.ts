import { runProgram } from '@plantroom/base/program'
import { readConfig } from './config.ts'
import { startCloud } from './wire.ts'

const usage = `plantroom cloud: the HTTP API and the broker, with what they keep.

Settings come from the environment: see docs/reference/settings.md.`

await runProgram({ name: 'cloud', usage, start: () => startCloud(readConfig()) })
