import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { CommandReply } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import type { RestorePart } from '@plantroom/contract/replacement'
import { type ActivityLog, SYSTEM } from '../../organization/activity/index.ts'
import { UnreadableReply } from './ask.ts'
import { withoutLabels } from './check-commissioning.ts'
import type { DeviceLink } from './device-link.ts'
import type { Device } from './device-store.ts'
import { forEach } from './for-each.ts'
import { planReplacement } from './replacement-plan.ts'
import { createReplacementStore, type ReplacementStore, type StoredReplacement } from './replacement-store.ts'

/** Two processes that send the same parts do no harm. After this time, another takes over from one that was killed. */
const LEASE_MS = 30_000
const SWEEP_MS = 10_000
const REJECTED_MS = 60_000

interface ReplacementDeps {
  store: ReplacementStore
  link: Pick<DeviceLink, 'ask' | 'presence' | 'onBack'>
  findDevice(deviceId: string): Device | undefined
  activity: ActivityLog
  clock: Clock
  log: Log
}

/**
 * Gives new controllers what the ones before them had, at their first contact, and controllers that lost their memory what
 * they had. Safe in several processes.
 */
export interface RunningReplacements {
  close(): void
}

export function startReplacements(deps: ReplacementDeps): RunningReplacements {
  const { store, link, clock, log } = deps
  let closed = false

  async function sendDue(deviceIds: readonly string[], isBack: boolean): Promise<void> {
    const online = deviceIds.filter((deviceId) => link.presence.isOnline(deviceId))
    if (online.length === 0) return
    const now = clock.now()
    const claim = { now: new Date(now), until: new Date(now + LEASE_MS), isBack }
    await forEach(await store.claim(online, claim), (claimed) => restore(deps, claimed))
  }

  const unlessClosed = (work: () => Promise<void>) => {
    if (closed) return
    work().catch((error: unknown) => {
      if (!closed) log.warn({ err: error }, 'could not give controllers what they had; retrying')
    })
  }
  link.onBack((deviceIds) => unlessClosed(() => sendDue(deviceIds, true)))
  const stopSweeping = every(clock, SWEEP_MS, () =>
    unlessClosed(async () => sendDue(await store.dueDevices(new Date(clock.now())), false)),
  )
  return {
    close() {
      closed = true
      stopSweeping()
    },
  }
}

async function restore(deps: ReplacementDeps, replacement: StoredReplacement): Promise<void> {
  const { store, clock, log } = deps
  const { id, deviceId } = replacement
  try {
    const restored = await sendParts(deps, replacement)
    const { outcome } = restored
    if (outcome === 'waiting') throw new Failure('rejected', 'the controller did not get every part; retrying')
    await record(deps, replacement, restored)
    log.info({ deviceId, outcome }, 'a controller has been given what it, or the one before it, had')
  } catch (error) {
    const message = error instanceof Failure ? error.message : 'the service has a problem; its log says more'
    log.warn({ deviceId, err: error }, 'a controller could not be given what it, or the one before it, had; retrying')
    const isRejected = (error instanceof Failure && error.kind === 'rejected') || error instanceof UnreadableReply
    const dueAt = new Date(clock.now() + (isRejected ? REJECTED_MS : SWEEP_MS))
    await store.postpone(id, dueAt, isRejected ? message : replacement.problem)
  }
}

type Restored = CommandReply<'restore'>

/** Sends every part. The first ones decide nothing: the controller acts when it has all. */
async function sendParts(deps: ReplacementDeps, replacement: StoredReplacement): Promise<Restored> {
  const { deviceId } = replacement
  let restored: Restored = { outcome: 'waiting' }
  for (const part of await partsOf(deps, replacement)) {
    restored = await deps.link.ask(deviceId, 'restore', part)
    if (restored.outcome !== 'waiting') return restored
  }
  return restored
}

async function partsOf(
  { store, clock }: ReplacementDeps,
  { id: replacementId, deviceId, state, stateAt, memory }: StoredReplacement,
): Promise<RestorePart[]> {
  const now = clock.now()
  const kept = state && stateAt ? { state, receivedAt: stateAt.getTime() } : undefined
  const known = await store.known(deviceId, kept, new Date(now))
  const { control } = planReplacement(known, now)
  const contents = [
    ...known.systems.map((system) => ({ technicalSystem: withoutLabels(system) })),
    { issued: await store.issued(deviceId) },
    { control: { ...control, audit: await store.lastEntry(deviceId) } },
  ]
  const head = { replacementId, parts: contents.length, ...(memory && { memory: { id: memory.id, run: memory.run } }) }
  return contents.map((content, index) => ({ ...head, part: index + 1, ...content }))
}

async function record(
  { activity, findDevice, clock }: ReplacementDeps,
  { id, deviceId, memory }: StoredReplacement,
  { outcome, auditKey: key }: Restored,
): Promise<void> {
  const device = findDevice(deviceId)
  await activity.change({ actor: SYSTEM }, async (tx, note) => {
    if (!(await createReplacementStore(tx).finish(id, new Date(clock.now()), outcome)) || !device) return
    const { organizationId, siteId, name } = device
    const subject = { kind: 'device', id: deviceId, name } as const
    const action = memory ? 'device-memory-restored' : 'device-restored'
    note({ organizationId, siteId, action, subject, details: { outcome } })
    if (key !== undefined) (await activity.auditKeys.changes(tx, [{ device, key }])).forEach(note)
  })
}
