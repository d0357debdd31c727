import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { awaitEmbeddedPostgres } from '../find-server.ts'

// A separate process for tests: waits for the server of the folder in argv and writes its address as one line of JSON.
const [folder = ''] = process.argv.slice(2)
const { signal } = new AbortController()
const connection = await awaitEmbeddedPostgres({ folder, clock: systemClock, log: createLog('test', 'silent'), signal })
process.stdout.write(`${JSON.stringify(connection)}\n`)
