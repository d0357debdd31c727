import type { Clock } from '@plantroom/base/clock'

/** After a start with a clock in the past, the cloud has this long to tell the time before equipment is restored. */
const GRACE_MS = 3_000
/** How often the controller looks whether its clock was set. */
const LOOK_MS = 1_000

export interface TimeWait {
  /** Looks now: the time may be known. */
  look(): void
  close(): void
}

/** Calls `onKnown` once the time is known, and `onTooLong` before that when it takes longer than the grace period. */
export function waitForTime(deps: {
  known: () => boolean
  clock: Clock
  onKnown: () => void
  onTooLong: () => void
}): TimeWait {
  const { known, clock, onKnown, onTooLong } = deps
  let isOver = false
  let cancelLook = () => {}
  const cancelGrace = clock.after(GRACE_MS, () => {
    look()
    if (!isOver) onTooLong()
  })

  function look(): void {
    if (isOver) return
    cancelLook()
    if (known()) {
      close()
      onKnown()
    } else cancelLook = clock.after(LOOK_MS, look)
  }

  function close(): void {
    isOver = true
    cancelLook()
    cancelGrace()
  }

  look()
  return { look, close }
}
