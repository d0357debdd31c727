import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Chunks of uploads that may wait for the garbage collector. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024

type Collect = (options: { type: 'minor' }) => void

/** Returns the collector of young objects, which takes about a millisecond. */
function findCollector(): Collect {
  setFlagsFromString('--expose-gc')
  try {
    return runInNewContext('gc') as Collect
  } finally {
    setFlagsFromString('--no-expose-gc')
  }
}

let collect: Collect | undefined
let waiting = 0

/**
 * Frees the chunks of uploads that were written. Their objects are so small that V8 lets 64 MB of chunks pile up before it
 * collects them, a third of the memory of the process.
 */
export function freeBuffers(received: number): void {
  waiting += received
  if (waiting < MAX_WAITING_BYTES) return
  waiting = 0
  collect ??= findCollector()
  collect({ type: 'minor' })
}
