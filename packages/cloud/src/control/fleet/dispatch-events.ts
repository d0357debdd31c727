import type { Clock } from '@plantroom/base/clock'
import type { FleetDispatch } from '@plantroom/contract/fleet'
import type { EventStream } from '../../platform/streams/index.ts'

const LOOK_MS = 500

/** How far a dispatch or power limit is. */
export type Progress = Pick<FleetDispatch, 'id' | 'state' | 'counts' | 'releasing'>

/** Sends the progress of a dispatch or power limit to a reader, until no controller is pending. */
export function sendProgress(
  stream: EventStream,
  first: Progress,
  { find, clock }: { find(): Promise<Progress | undefined>; clock: Clock },
): void {
  let sent = ''
  const look = (dispatch: Progress | undefined): boolean => {
    if (!dispatch) stream.end()
    else if (dispatch.state !== 'running') stream.end('ended', textOf(dispatch))
    if (dispatch?.state !== 'running') return false
    const data = textOf(dispatch)
    // An event that the reader was too slow for is repeated at the next look.
    if (data !== sent && stream.send('progress', data)) sent = data
    return true
  }
  if (look(first)) stream.onClose(followDispatch({ find, look, clock }))
}

const textOf = ({ id, state, counts, releasing }: Progress) => JSON.stringify({ id, state, counts, releasing })

/** Reads a dispatch twice a second until the returned function is called, or `look` returns false. */
export function followDispatch(deps: {
  find(): Promise<Progress | undefined>
  look(dispatch: Progress | undefined): boolean
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
