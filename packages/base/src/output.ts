import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import { inBackground } from './clock.ts'

/** The most bytes that wait for a reader. Lines after that are lost, and counted. */
export const MAX_WAITING_BYTES = 256 * 1024
const RETRY_MS = 100
/** How long a process that exits waits for its reader, in short naps. */
const EXIT_NAP_MS = 10
const MOST_EXIT_NAPS = 100
/** Nobody will ever read again. Any other error, for example a full disk, may pass. */
const GONE = ['EPIPE', 'EBADF']

/** Takes lines and never blocks, whoever reads them. */
export interface Output {
  write(line: string): void
}

/**
 * Opens stdout (1) or stderr (2) for lines.
 *
 * Each line is written immediately if the reader takes it. Otherwise it waits in memory, without keeping the process
 * alive. If the memory for that is used up, lines are lost until the reader has caught up, and `describeLoss` returns the
 * line that says how many. A process that exits gives its reader one second.
 */
export function openOutput(fd: 1 | 2, describeLoss: (lost: number) => string): Output {
  /** Opened for the first line: most loggers of tests write none. */
  let target: number | undefined
  let isGone = false
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let lost = 0
  let stopRetrying: (() => void) | undefined

  function open(): number {
    process.once('exit', flushBeforeExit)
    return openUnblocked(fd)
  }

  function keep(line: string): void {
    const bytes = Buffer.from(line)
    waiting.push(bytes)
    waitingBytes += bytes.length
  }

  /** Writes what waits, and then what was lost. Returns false if something still waits. */
  function flush(): boolean {
    target ??= open()
    for (;;) {
      const [first] = waiting
      if (first === undefined) {
        if (lost === 0) break
        keep(describeLoss(lost))
        lost = 0
        continue
      }
      const written = writeSome(target, first)
      if (written === 'gone') {
        isGone = true
        waiting = []
        break
      }
      if (written === 'not now') {
        stopRetrying ??= inBackground(RETRY_MS, () => flush())
        return false
      }
      waitingBytes -= written
      if (written < first.length) waiting[0] = first.subarray(written)
      else waiting.shift()
    }
    stopRetrying?.()
    stopRetrying = undefined
    return true
  }

  function flushBeforeExit(): void {
    const nap = new Int32Array(new SharedArrayBuffer(4))
    for (let naps = 0; !flush() && naps < MOST_EXIT_NAPS; naps += 1) Atomics.wait(nap, 0, 0, EXIT_NAP_MS)
  }

  return {
    write(line) {
      if (isGone) return
      const isFull = () => waitingBytes > 0 && waitingBytes + Buffer.byteLength(line) > MAX_WAITING_BYTES
      // The reader may have caught up with a burst meanwhile.
      if (lost === 0 && isFull()) flush()
      if (lost > 0 || isFull()) {
        lost += 1
        return
      }
      keep(line)
      if (stopRetrying === undefined) flush()
    },
  }
}

function writeSome(fd: number, bytes: Buffer): number | 'not now' | 'gone' {
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    return GONE.includes((error as NodeJS.ErrnoException).code ?? '') ? 'gone' : 'not now'
  }
}

/**
 * Returns a descriptor whose writes fail instead of waiting. Pipes and terminals are opened again, because other processes
 * share the flags of the descriptor: a process that starts or ends changes them, and a parent may not expect the change.
 */
function openUnblocked(fd: 1 | 2): number {
  const kind = fstatSync(fd)
  // A file opened again would have a position of its own, and overwrite lines.
  if (kind.isFile()) return fd
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    // A socket, for example to the journal, or a pipe of another user. Node makes it non-blocking with this access. No
    // process that shares it may be started with `inherit`: that makes it blocking again.
    void (fd === 1 ? process.stdout : process.stderr)
    return fd
  }
}
