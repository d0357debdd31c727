import type { Clock } from '@plantroom/base/clock'
import { MAX_CALLER_NAME } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { isStorable } from '../../platform/db/storable-text.ts'
import { awaitsRestore, type DeviceLink, retry, UnreadableReply } from '../devices/index.ts'
import { targetReqId } from './plan.ts'
import type { Placement, PlacementResult } from './target-store.ts'

/** The wait for the first reply. A silent controller frees its place for another one soon; each attempt waits longer. */
const FIRST_WAIT_MS = 3_000
const LONGEST_REASON = 500

export interface PlaceDeps {
  link: Pick<DeviceLink, 'ask' | 'presence'>
  /** True for a key that works as far as this process knows, and for people. */
  isActive(callerId: string): boolean
  clock: Clock
}

/** The result of an attempt that did not send anything, or that certainly placed nothing. */
export function unsent(target: Placement): PlacementResult {
  const { task, again } = retry(target)
  return { kind: 'retry', task, again: { ...again, sentUntil: target.sentBefore } }
}

/**
 * Asks a controller to place the override of a target. The reqId and the data are the same at every attempt, so that the
 * controller places it once; after `sentUntil` it places nothing.
 */
export async function place(target: Placement, { link, isActive, clock }: PlaceDeps): Promise<PlacementResult> {
  const { deviceId, placedBy, sentBefore } = target
  const refused = (reason: string, mayHold: boolean): PlacementResult => ({
    kind: 'refused',
    task: target,
    reason: reason.slice(0, LONGEST_REASON).toWellFormed(),
    mayHold,
  })
  if (!target.isAllowed) {
    return refused('who placed the dispatch may no longer control this device', sentBefore !== null)
  }
  // Revoked since the claim, or so new that this process does not know it: the next claim asks the database.
  if (!isActive(placedBy)) return unsent(target)
  let isSent = false
  const wait = FIRST_WAIT_MS * 2 ** Math.min(target.attempts - 1, 10)
  const deadline = Math.min(target.sentUntil.getTime(), clock.now() + wait)
  const onSent = () => {
    isSent = true
  }
  try {
    const { id } = await ask(target, link, { deadline, onSent })
    if (isStorable(id)) return { kind: 'accepted', task: target, overrideId: id }
    return refused('the controller answered without an id: update its software', true)
  } catch (error) {
    if (error instanceof Failure && error.kind === 'rejected') {
      if (await isTooEarly(deviceId, link)) return unsent(target)
      // A rejection says nothing about an earlier attempt that was not answered.
      return refused(error.message, sentBefore !== null)
    }
    if (error instanceof UnreadableReply) return refused(error.message, true)
    if (!isSent) return unsent(target)
    // A controller that has come back in the meantime is asked immediately.
    return { kind: 'retry', ...(link.presence.isOnline(deviceId) ? retry(target) : retry(target, 0)) }
  }
}

/** Reports whether a controller rejects what it may accept later: it has not been given back what it had. */
async function isTooEarly(deviceId: string, link: PlaceDeps['link']): Promise<boolean> {
  try {
    return awaitsRestore(await link.ask(deviceId, 'getControlState', {}))
  } catch (error) {
    // One that does not answer may be starting with what it was given.
    return error instanceof Failure && error.kind === 'offline' && !(error instanceof UnreadableReply)
  }
}

function ask(
  target: Placement,
  link: PlaceDeps['link'],
  options: { deadline: number; onSent(): void },
): Promise<{ id: string }> {
  const { deviceId, dispatchId, datapointId, round, placedBy, placedByName, value, limit } = target
  const by = {
    reqId: targetReqId(dispatchId, datapointId, round),
    keyId: placedBy,
    callerName: placedByName.slice(0, MAX_CALLER_NAME),
  }
  const window = {
    from: formatTimestamp(target.from.getTime()),
    to: formatTimestamp(target.to.getTime()),
    ...(target.reason !== null && { reason: target.reason }),
  }
  return limit
    ? link.ask(deviceId, 'placeLimit', { ...limit, kw: value, ...window }, by, options)
    : link.ask(deviceId, 'demandResponseOverride', { datapointId, value, ...window }, by, options)
}
