import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { CommandReply } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import type { RestorePart } from '@plantroom/contract/replacement'
import { type ActivityLog, SYSTEM } from '../../organization/activity/index.ts'
import { timeOf } from '../../platform/work/index.ts'
import { UnreadableReply } from './ask.ts'
import { withoutLabels } from './check-commissioning.ts'
import type { DeviceLink } from './device-link.ts'
import type { Device } from './device-store.ts'
import { planReplacement } from './replacement-plan.ts'
import {
  createReplacementStore,
  REPLACEMENT,
  type ReplacementResult,
  type ReplacementStore,
  type StoredReplacement,
} from './replacement-store.ts'
import type { TaskKind } from './task-lane.ts'
import { type DeviceTask, retry } from './task-store.ts'
import type { DeviceTasks } from './tasks.ts'

const RETRY_MS = 10_000
const REJECTED_MS = 60_000

interface ReplacementDeps {
  store: ReplacementStore
  link: Pick<DeviceLink, 'ask'>
  findDevice(deviceId: string): Device | undefined
  activity: ActivityLog
  clock: Clock
  log: Log
}

/**
 * Gives new controllers what the ones before them had, at their first contact, and controllers that lost their memory what
 * they had. Two processes that send the same parts do no harm.
 */
export function serveReplacements(deps: ReplacementDeps & { tasks: Pick<DeviceTasks, 'serve'> }): void {
  const { store, tasks, clock } = deps
  const kind: TaskKind<StoredReplacement, ReplacementResult> = {
    name: REPLACEMENT,
    load: store.load,
    async run(_deviceId, replacements, settle) {
      for (const replacement of replacements) {
        const failed = await restore(deps, replacement)
        if (failed) settle(failed)
      }
    },
    store: (results) => store.postpone(results, timeOf(clock)),
  }
  tasks.serve(kind)
}

/** Returns what to do when the controller did not take over. */
async function restore(
  deps: ReplacementDeps,
  replacement: StoredReplacement & DeviceTask,
): Promise<ReplacementResult | undefined> {
  const { log } = deps
  const { deviceId } = replacement
  try {
    const restored = await sendParts(deps, replacement)
    const { outcome } = restored
    if (outcome === 'waiting') throw new Failure('rejected', 'the controller did not get every part; retrying')
    await record(deps, replacement, restored)
    log.info({ deviceId, outcome }, 'a controller has been given what it, or the one before it, had')
    return undefined
  } catch (error) {
    log.warn({ deviceId, err: error }, 'a controller could not be given what it, or the one before it, had; retrying')
    const isRejected = (error instanceof Failure && error.kind === 'rejected') || error instanceof UnreadableReply
    if (!isRejected) return retry(replacement, RETRY_MS)
    const problem = error instanceof Failure ? error.message : 'the service has a problem; its log says more'
    return { ...retry(replacement, REJECTED_MS), rejected: { id: replacement.id, problem } }
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
  replacement: StoredReplacement,
  { outcome, auditKey: key }: Restored,
): Promise<void> {
  const { deviceId, memory } = replacement
  const device = findDevice(deviceId)
  await activity.change({ actor: SYSTEM }, async (tx, note) => {
    if (!(await createReplacementStore(tx).finish(replacement, new Date(clock.now()), outcome)) || !device) return
    const { organizationId, siteId, name } = device
    const subject = { kind: 'device', id: deviceId, name } as const
    const action = memory ? 'device-memory-restored' : 'device-restored'
    note({ organizationId, siteId, action, subject, details: { outcome } })
    if (key !== undefined) (await activity.auditKeys.changes(tx, [{ device, key }])).forEach(note)
  })
}
