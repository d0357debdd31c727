import type { Clock } from '@plantroom/base/clock'
import type { FleetDispatch } from '@plantroom/contract/fleet'

const LOOK_MS = 500

/** Reads a dispatch twice a second until the returned function is called, or `look` returns false. */
export function followDispatch(deps: {
  find(): Promise<FleetDispatch | undefined>
  look(dispatch: FleetDispatch | undefined): boolean
  clock: Clock
}): () => void {
  const { find, look, clock } = deps
  let stopped = false
  let cancel = clock.after(LOOK_MS, () => void step())

  async function step(): Promise<void> {
    // When the database is unavailable, the next look tries again.
    const found = await find().then(
      (dispatch) => ({ dispatch }),
      () => undefined,
    )
    if (stopped || (found && !look(found.dispatch))) return
    // Scheduled after the answer, so that queries do not pile up on a slow database.
    cancel = clock.after(LOOK_MS, () => void step())
  }

  return () => {
    stopped = true
    cancel()
  }
}
