import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { ReleasedOverrides } from '@plantroom/contract/api'
import { MAX_CALLER_NAME } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import type { OverrideReleases } from '../../organization/access/index.ts'
import { timeOf } from '../../platform/work/index.ts'
import type { DeviceLink } from './device-link.ts'
import { forEach } from './for-each.ts'
import {
  createOverrideReleaseStore,
  OVERRIDE_RELEASE,
  type OverrideRelease,
  type OverrideReleaseStore,
  type ReleaseResult,
  type ReleaseTask,
} from './override-release-store.ts'
import type { TaskKind } from './task-lane.ts'
import { done, later, retry } from './task-store.ts'
import type { DeviceTasks } from './tasks.ts'

/** For how long the process that revokes a key has its releases to itself. Longer than it asks devices. */
const TO_ITSELF_MS = 60_000
const REJECTED_MS = 600_000
/**
 * A device is asked again this long after the key was revoked: another process may have accepted a command of the key
 * before it learned that the key is revoked.
 */
const SETTLE_MS = 60_000
/** A revocation with many devices that do not answer leaves the rest to the queue, so that its caller gets an answer. */
const ANSWER_MS = 15_000
/** Commands to one device at a time. */
const PER_DEVICE = 8

/** Stays in the audit of the devices, for everything that a caller placed. */
const REASON = 'the API key was revoked'

interface ReleaseDeps {
  store: OverrideReleaseStore
  link: Pick<DeviceLink, 'ask' | 'presence'>
  clock: Clock
  log: Log
}

/**
 * Cancels what revoked keys placed, and single overrides that people released while their device was away: now where the
 * device is online, otherwise as soon as it is back.
 */
export function createOverrideReleases(deps: ReleaseDeps & { tasks: Pick<DeviceTasks, 'serve'> }): OverrideReleases {
  const { store, tasks, clock } = deps
  const kind: TaskKind<OverrideRelease, ReleaseResult> = {
    name: OVERRIDE_RELEASE,
    load: store.load,
    async run(_deviceId, releases, settle) {
      let isSilent = false
      const work = async (release: ReleaseTask) => {
        const sent: Sent = isSilent ? { result: retry(release) } : await send(deps, release)
        isSilent ||= sent.isSilent === true
        settle(sent.result)
      }
      await forEach(releases, work, PER_DEVICE)
    },
    store: (results) => store.settle(results, timeOf(clock)),
  }
  tasks.serve(kind)
  return {
    record: (tx, keyId, by) => {
      const at = clock.now()
      const due = { at: new Date(at), dueAt: new Date(at + TO_ITSELF_MS) }
      return createOverrideReleaseStore(tx).addOfKey(keyId, { ...due, by })
    },
    releaseNow: (placedBy) => releaseNow(deps, placedBy),
  }
}

/** Sends the releases of one caller, which this process has to itself. */
async function releaseNow(deps: ReleaseDeps, placedBy: string): Promise<ReleasedOverrides> {
  const { store, link, clock, log } = deps
  const releases = await store.ofCaller(placedBy)
  const began = clock.monotonic()
  const cancelled: ReleasedOverrides['cancelled'][number][] = []
  const pending: ReleasedOverrides['pending'][number][] = []
  const results: ReleaseResult[] = []
  await forEach(releases, async (release) => {
    const isLeft = !link.presence.isOnline(release.deviceId) || clock.monotonic() - began >= ANSWER_MS
    const sent: Sent = isLeft ? { result: later(release, 0) } : await send(deps, release)
    results.push(sent.result)
    if (sent.cancelled) cancelled.push(...sent.cancelled)
    else pending.push({ deviceId: release.deviceId, name: release.name })
  })
  await store.settle(results, timeOf(clock)).catch((error: unknown) => {
    log.warn({ err: error }, 'could not store which devices have cancelled; they are asked again')
  })
  return { cancelled, pending: pending.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
}

interface Sent {
  result: ReleaseResult
  /** `undefined` when the device has not cancelled. */
  cancelled?: ReleasedOverrides['cancelled']
  isSilent?: boolean
}

/** Asks a device to cancel. The release stays recorded until the device has confirmed it. */
async function send({ store, link, clock, log }: ReleaseDeps, release: ReleaseTask): Promise<Sent> {
  const { deviceId, placedBy, overrideId, requestedAt, reason } = release
  const caller = { keyId: release.requestedBy, callerName: release.requestedByName.slice(0, MAX_CALLER_NAME) }
  try {
    if (overrideId !== '') {
      const data = { id: overrideId, ...(reason !== '' && { reason }) }
      await link.ask(deviceId, 'demandResponseCancel', data, { ...caller, manages: true })
      return { result: done(release), cancelled: [] }
    }
    const { cancelled } = await link.ask(deviceId, 'cancelOverrides', { placedBy, reason: REASON }, caller)
    const againInMs = requestedAt.getTime() + SETTLE_MS - clock.now()
    const result = againInMs > 0 ? { ...later(release, againInMs), isConfirmed: true } : done(release)
    return { result, cancelled: cancelled.map((each) => ({ deviceId, ...each })) }
  } catch (error) {
    const why = error instanceof Failure ? error.message : error
    const isRejected = error instanceof Failure && error.kind === 'rejected'
    if (isRejected && overrideId !== '' && (await store.isOver(release).catch(() => false))) {
      return { result: done(release), cancelled: [] }
    }
    log.warn({ deviceId, placedBy, overrideId, reason: why }, 'a device has not cancelled what it should; retrying')
    // A device that rejects everything of a caller runs an earlier version: it has to be updated first.
    const result = isRejected && overrideId === '' ? retry(release, REJECTED_MS) : retry(release)
    return { result, isSilent: !isRejected }
  }
}
