import { runProgram } from '@plantroom/base/program'
import { readConfig } from '@plantroom/edge/config'
import type { Point } from '@plantroom/edge/device'
import { startEdge } from '@plantroom/edge/wire'

/**
 * The device, with a power cut at a named point: `write:after:3` is right after the third write from when this was said,
 * in the environment for a start, over the channel to the parent for one that runs.
 */
let left = 0
let fatal: string | undefined

function arm(dieAt: string | undefined): void {
  const [what, when, count] = (dieAt ?? '').split(':')
  fatal = what && `${what}:${when}`
  left = Number(count)
}

function reached(point: Point): void {
  if (point !== fatal) return
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

arm(process.env.PLANTROOM_TEST_DIE_AT)
process.on('message', ({ dieAt }: { dieAt: string }) => arm(dieAt))

await runProgram({ name: 'edge', usage: 'a device that dies', start: () => startEdge(readConfig(), reached) })
