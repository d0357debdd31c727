import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { ReleasedOverrides } from '@plantroom/contract/api'
import { MAX_CALLER_NAME } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import type { OverrideReleases } from '../../organization/access/index.ts'
import type { DeviceLink } from './device-link.ts'
import { forEach } from './for-each.ts'
import type { OverrideRelease, OverrideReleaseStore } from './override-release-store.ts'

/** Longer than any wait for a reply, so that two processes do not send the same release. */
const LEASE_MS = 60_000
/** For devices that did not answer, and for those whose return was not noticed. */
const SWEEP_MS = 10_000
const REJECTED_MS = 600_000
/**
 * A device is asked again this long after the key was revoked: another process may have accepted a command of the key
 * before it learned that the key is revoked.
 */
const SETTLE_MS = 60_000
/** A revocation with many devices that do not answer leaves the rest to the sweep, so that its caller gets an answer. */
const ANSWER_MS = 15_000

/** Stays in the audit of the devices, for everything that a caller placed. */
const REASON = 'the API key was revoked'

type Cancelled = ReleasedOverrides['cancelled'][number]

interface ReleaseDeps {
  store: OverrideReleaseStore
  link: Pick<DeviceLink, 'ask' | 'presence' | 'onBack'>
  clock: Clock
  log: Log
}

/**
 * Cancels what revoked keys placed, and single overrides that people released while their device was away: now where the
 * device is online, otherwise as soon as it is back.
 */
export interface RunningReleases extends OverrideReleases {
  close(): void
}

export function createOverrideReleases(deps: ReleaseDeps): RunningReleases {
  const { store, link, clock, log } = deps
  const { presence } = link
  let closed = false

  /** Sends what is due for these devices. Safe in several processes: each release is claimed by one of them. */
  async function sendDue(deviceIds: readonly string[]): Promise<void> {
    const online = deviceIds.filter((deviceId) => presence.isOnline(deviceId))
    if (online.length === 0) return
    const now = clock.now()
    const claimed = await store.claim(online, new Date(now), new Date(now + LEASE_MS))
    await forEach(claimed, (release) => send(deps, release))
  }

  const unlessClosed = (work: () => Promise<void>) => {
    if (closed) return
    work().catch((error: unknown) => {
      if (!closed) log.warn({ err: error }, 'could not send releases that wait; retrying')
    })
  }
  link.onBack((deviceIds) => unlessClosed(() => sendDue(deviceIds)))
  const sweep = async () => sendDue(await store.dueDevices(new Date(clock.now())))
  const stopSweeping = every(clock, SWEEP_MS, () => unlessClosed(sweep))

  return {
    leaseMs: LEASE_MS,
    releaseNow: (placedBy) => releaseNow(deps, placedBy),
    close() {
      closed = true
      stopSweeping()
    },
  }
}

/** Sends the releases of one caller, which this process has to itself. */
async function releaseNow(deps: ReleaseDeps, placedBy: string): Promise<ReleasedOverrides> {
  const { store, link, clock } = deps
  const releases = await store.ofCaller(placedBy)
  const began = clock.monotonic()
  const cancelled: Cancelled[] = []
  const failed: typeof releases = []
  const unsent: typeof releases = []
  await forEach(releases, async (release) => {
    if (!link.presence.isOnline(release.deviceId) || clock.monotonic() - began >= ANSWER_MS) {
      unsent.push(release)
      return
    }
    const done = await send(deps, release)
    if (done) cancelled.push(...done)
    else failed.push(release)
  })
  if (unsent.length > 0) await store.postpone(unsent, new Date(clock.now()))
  const pending = [...unsent, ...failed].map(({ deviceId, name }) => ({ deviceId, name }))
  return { cancelled, pending: pending.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
}

/** Asks a device to cancel; `undefined` when it did not. The release stays recorded until the device has confirmed it. */
async function send(
  { store, link, clock, log }: ReleaseDeps,
  release: OverrideRelease,
): Promise<Cancelled[] | undefined> {
  const { deviceId, placedBy, overrideId, requestedAt, reason } = release
  const caller = { keyId: release.requestedBy, callerName: release.requestedByName.slice(0, MAX_CALLER_NAME) }
  try {
    if (overrideId !== '') {
      const data = { id: overrideId, ...(reason !== '' && { reason }) }
      await link.ask(deviceId, 'demandResponseCancel', data, { ...caller, manages: true })
      await store.finish(release)
      return []
    }
    const { cancelled } = await link.ask(deviceId, 'cancelOverrides', { placedBy, reason: REASON }, caller)
    const again = requestedAt.getTime() + SETTLE_MS
    if (clock.now() >= again) await store.finish(release)
    else await store.confirm(release, new Date(again))
    return cancelled.map((each) => ({ deviceId, ...each }))
  } catch (error) {
    const why = error instanceof Failure ? error.message : error
    const isRejected = error instanceof Failure && error.kind === 'rejected'
    if (isRejected && overrideId !== '' && (await store.finishIfOver(release).catch(() => false))) return []
    log.warn({ deviceId, placedBy, overrideId, reason: why }, 'a device has not cancelled what it should; retrying')
    // A device that rejects everything of a caller runs an earlier version: it has to be updated first.
    const wait = isRejected && overrideId === '' ? REJECTED_MS : SWEEP_MS
    await store.postpone([release], new Date(clock.now() + wait)).catch(() => {})
    return undefined
  }
}
