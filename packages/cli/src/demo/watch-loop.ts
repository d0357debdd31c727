import type { ChildProcess } from 'node:child_process'
import { type Clock, every } from '@plantroom/base/clock'

export const PING_MS = 5_000
/** Intervals without an answer to a ping, after which a program counts as blocked. */
export const MOST_UNANSWERED = 12

/**
 * Calls `onBlocked` when a program no longer answers, because its event loop is blocked or because it was halted with
 * SIGSTOP. Watches it from its first message on: nobody knows how long a program may take to load. Counts intervals of this
 * process, so that a machine that was suspended finds all its programs well. The returned function ends the watch.
 */
export function watchLoop(child: ChildProcess, clock: Clock, onBlocked: () => void): () => void {
  let hasAnswered = false
  let isAnswered = true
  let unanswered = 0
  // Any message shows that the loop runs.
  child.on('message', () => {
    hasAnswered = true
    isAnswered = true
  })
  const ping = () => {
    isAnswered = false
    unanswered = 0
    // The callback ignores the error if the program ends at this very moment.
    if (child.connected) child.send({ ping: true }, () => {})
  }
  ping()
  return every(clock, PING_MS, () => {
    if (isAnswered) return ping()
    unanswered += 1
    if (hasAnswered && unanswered === MOST_UNANSWERED) onBlocked()
  })
}
