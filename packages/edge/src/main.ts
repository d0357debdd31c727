import { runProgram } from '@plantroom/base/program'
import { readConfig } from './config.ts'
import { startEdge } from './wire.ts'

const usage = `plantroom edge: the agent on a controller in a building.

Settings come from the environment: see docs/reference/settings.md.`

await runProgram({ name: 'edge', usage, start: () => startEdge(readConfig()) })
