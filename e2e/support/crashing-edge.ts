import { runProgram } from '@plantroom/base/program'
import { readConfig } from '@plantroom/edge/config'
import type { Point } from '@plantroom/edge/device-parts'
import { startEdge } from '@plantroom/edge/wire'

/**
 * The controller, with a power cut at a named point: `write:after:3` is right after the third write. The environment sets
 * the point for the next start; a message from the parent sets it while the controller runs.
 */
let left = 0
let fatal: string | undefined

function arm(crashAt: string | undefined): void {
  const [what, when, count] = (crashAt ?? '').split(':')
  fatal = what && `${what}:${when}`
  left = Number(count)
}

function reached(point: Point): void {
  if (point !== fatal) return
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

arm(process.env.PLANTROOM_TEST_CRASH_AT)
process.on('message', ({ crashAt }: { crashAt: string }) => arm(crashAt))

await runProgram({ name: 'edge', usage: 'a controller that crashes', start: () => startEdge(readConfig(), reached) })
