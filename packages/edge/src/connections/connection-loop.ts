import { sleep } from '@plantroom/base/clock'
import type { Connection as ConnectionConfig } from '@plantroom/contract/datapoint'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import { type ConnectionState, reasonOf, setStatus, takePoll } from './connection-state.ts'

const DEFAULT_POLL_SECONDS = 1
/** How often to look for equipment that is gone. */
const LOOK_AGAIN_MS = 1_000
/** A link that was up for less than this is not reopened without a pause. */
const SHORTEST_LIFE_MS = 500

/** Opens the link, polls, and reopens the link until the connection is closed. */
export async function runConnection(state: ConnectionState): Promise<void> {
  const { clock, stopping } = state
  let wasUp = false
  while (!stopping.signal.aborted) {
    const startedAt = clock.monotonic()
    const { upSince, reason } = await runLink(state, wasUp)
    if (stopping.signal.aborted) return
    wasUp ||= upSince !== undefined
    setStatus(state, upSince === undefined ? CONNECTION_STATUS.error : CONNECTION_STATUS.disconnected, reason)
    // The link was up a moment ago: one immediate attempt to reopen it before it counts as an error. A link that drops
    // as soon as it is up gets a pause.
    if (upSince !== undefined && clock.monotonic() - upSince >= SHORTEST_LIFE_MS) continue
    const sinceMs = clock.monotonic() - (upSince ?? startedAt)
    await sleep(clock, Math.max(0, LOOK_AGAIN_MS - sinceMs), stopping.signal)
  }
}

/** Opens the link and polls until it is lost. Returns since when it was up, if it ever was, and why it ended. */
async function runLink(
  state: ConnectionState,
  wasUp: boolean,
): Promise<{ upSince: number | undefined; reason: string | null }> {
  const { driver, clock, stopping, counters } = state
  const link = new AbortController()
  state.link = link
  let upSince: number | undefined
  try {
    await driver.open(stopping.signal)
    const firstReadings = await driver.read(state.readableIds)
    if (stopping.signal.aborted) return { upSince, reason: null }
    upSince = clock.monotonic()
    if (wasUp) counters.reconnects += 1
    setStatus(state, CONNECTION_STATUS.connected)
    takePoll(state, firstReadings, state.turn)
    state.listener?.connected(state.config.id)
    await poll(state, link.signal)
    return { upSince, reason: reasonOf(link.signal.reason) }
  } catch (failure) {
    // A poll that was under way failed because the link was lost: the loss is the reason.
    return { upSince, reason: reasonOf(link.signal.aborted ? link.signal.reason : failure) }
  }
}

async function poll(state: ConnectionState, lost: AbortSignal): Promise<void> {
  const { clock, driver } = state
  const periodMs = pollSeconds(state.config) * 1000
  let due = clock.monotonic() + periodMs
  while (!lost.aborted) {
    await pause(state, due - clock.monotonic(), lost)
    if (lost.aborted) return
    state.turn += 1
    const asked = state.turn
    const startedAt = clock.monotonic()
    takePoll(state, await driver.read(state.readableIds), asked)
    // Missed polls are skipped, never made up for in a burst. An early poll does not postpone the ones after it.
    due = Math.max(Math.min(due, startedAt) + periodMs, clock.monotonic())
  }
}

async function pause(state: ConnectionState, ms: number, lost: AbortSignal): Promise<void> {
  const early = new AbortController()
  state.pollNow = () => early.abort()
  await sleep(state.clock, Math.max(0, ms), AbortSignal.any([lost, early.signal]))
  state.pollNow = () => {}
}

export function pollSeconds({ settings }: Pick<ConnectionConfig, 'settings'>): number {
  return typeof settings.pollSeconds === 'number' ? settings.pollSeconds : DEFAULT_POLL_SECONDS
}
