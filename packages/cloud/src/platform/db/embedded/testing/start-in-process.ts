import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { startEmbeddedPostgres } from '../start.ts'

// A separate process for tests: starts the server of the folder in argv, writes one line of JSON, and runs until its
// standard input ends. The server keeps running.
const [folder = ''] = process.argv.slice(2)
process.stdin.resume()
try {
  const { stop: _, ...started } = await startEmbeddedPostgres({
    folder,
    clock: systemClock,
    log: createLog('test', 'silent'),
  })
  process.stdout.write(`${JSON.stringify(started)}\n`)
} catch (error) {
  process.stdout.write(`${JSON.stringify({ failure: error instanceof Error ? error.message : String(error) })}\n`)
}
