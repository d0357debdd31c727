import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Buckets of devices that have sent nothing for a while are full again, and need not be kept. */
const MOST_BUCKETS = 50_000

/** Why a batch has to wait: its device sends too fast, or its organization has sent too much today. */
type HeldReason = 'device' | 'organization'

/**
 * Bounds what devices may store. A batch beyond the bounds is not confirmed: its device keeps it, and sends it again. So a
 * device that returns with the backlog of days loses nothing; it only takes longer.
 */
export interface Intake {
  /** Says whether a batch of this device must wait. Counts it as held if so. */
  holds(deviceId: string): boolean
  /** Counts what a device sent. */
  charge(deviceId: string, sent: { rows: number; bytes: number }): void
  /** Batches that had to wait since the start. */
  readonly held: Readonly<Record<HeldReason, number>>
}

interface Bucket {
  left: number
  at: number
}

export function createIntake(deps: {
  rowsPerMinute: number
  quota: OrganizationQuota
  findDevice(deviceId: string): { organizationId: string } | undefined
  clock: Clock
}): Intake {
  const { rowsPerMinute, quota, findDevice, clock } = deps
  const buckets = new Map<string, Bucket>()
  const held = { device: 0, organization: 0 }

  function bucketOf(deviceId: string): Bucket {
    const now = clock.monotonic()
    const { left, at } = buckets.get(deviceId) ?? { left: rowsPerMinute, at: now }
    const refilled = { left: Math.min(rowsPerMinute, left + ((now - at) * rowsPerMinute) / MINUTE_MS), at: now }
    // The one that was used longest ago is first.
    buckets.delete(deviceId)
    buckets.set(deviceId, refilled)
    for (const [oldest] of buckets) {
      if (buckets.size <= MOST_BUCKETS) break
      buckets.delete(oldest)
    }
    return refilled
  }

  return {
    holds(deviceId) {
      const organizationId = findDevice(deviceId)?.organizationId
      if (organizationId !== undefined && quota.isUsedUp(organizationId)) held.organization += 1
      else if (bucketOf(deviceId).left <= 0) held.device += 1
      else return false
      return true
    },
    charge(deviceId, { rows, bytes }) {
      bucketOf(deviceId).left -= rows
      const organizationId = findDevice(deviceId)?.organizationId
      if (organizationId !== undefined) quota.charge(organizationId, bytes)
    },
    held,
  }
}

/** What each organization has sent on this day (UTC) to this process. */
export interface OrganizationQuota {
  isUsedUp(organizationId: string): boolean
  charge(organizationId: string, bytes: number): void
}

export function createOrganizationQuota(deps: { bytesPerDay: number; clock: Clock; log: Log }): OrganizationQuota {
  const { bytesPerDay, clock, log } = deps
  const used = new Map<string, number>()
  let day = Math.floor(clock.now() / DAY_MS)

  const usedBy = (organizationId: string) => {
    const today = Math.floor(clock.now() / DAY_MS)
    if (today !== day) used.clear()
    day = today
    return used.get(organizationId) ?? 0
  }
  return {
    isUsedUp: (organizationId) => usedBy(organizationId) >= bytesPerDay,
    charge(organizationId, bytes) {
      const before = usedBy(organizationId)
      used.set(organizationId, before + bytes)
      if (before >= bytesPerDay || before + bytes < bytesPerDay) return
      log.error(
        { organization: organizationId, bytes: before + bytes },
        'an organization has sent as much as it may in a day: its controllers keep the rest until midnight UTC; find the one that sends too much, or raise PLANTROOM_MAX_RECEIVED_GB_PER_DAY',
      )
    },
  }
}
