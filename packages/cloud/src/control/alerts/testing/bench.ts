import { createLog } from '@plantroom/base/log'
import type { DeviceHealth } from '@plantroom/contract/health'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { exportTroubles } from '../../../maintenance/automatic-exports/index.ts'
import { openLog } from '../../../organization/activity/testing/logs.ts'
import { createAlertStore } from '../alert-store.ts'
import type { KnownDevice } from '../conditions.ts'
import { SETTLE_MS, startEvaluator, TICK_MS } from '../evaluator.ts'
import { createFactStore } from '../fact-store.ts'
import { hasTrouble } from '../health-receiver.ts'

export const WELL: DeviceHealth = {
  ...{ connections: [], notTaken: [], notRestored: [], clockOffsetMs: 0, clockWrongSeconds: null, freeBytes: 1e9 },
  ...{ diskLowSeconds: null, droppedMeasurements: 0, droppedSeconds: null },
}

/** An organization with an administrator, and one without; a clock that the test moves; a broker that it cuts. */
export async function openAlertBench({ mailsPerHour = 100 } = {}) {
  const clock = createManualClock()
  const { db, activity } = await openLog({ clock })
  const devices = new Map<string, KnownDevice>()
  const online = new Set<string>()
  const heard = new Set<string>()
  const bus = { connected: true }
  const warnings: string[] = []
  const log = createLog('test', 'silent')
  log.warn = ((about: { error?: string } | string, message?: string) => {
    const error = typeof about === 'string' ? undefined : about.error
    warnings.push([message ?? String(about), error].filter(Boolean).join(': '))
  }) as typeof log.warn

  for (const name of ['a', 'b']) {
    await db
      .insertInto('organization')
      .values({ id: `org_${name}`, name: `Org ${name}` })
      .execute()
    await db
      .insertInto('site')
      .values({ id: `site_${name}`, organization_id: `org_${name}`, name: `Site ${name}` })
      .execute()
  }
  const user = { id: 'usr_1', email: 'admin@example.com', password_hash: null, last_seen_at: null }
  await db.insertInto('user_account').values(user).execute()
  const admin = { user_id: user.id, organization_id: 'org_a', site_id: null, role: 'admin' as const }
  await db.insertInto('membership').values(admin).execute()

  const deps = {
    ...{ db, devices: { all: () => devices.values(), get: (id: string) => devices.get(id) } },
    exports: exportTroubles,
    ...{
      presence: { isOnline: (id: string) => online.has(id), wasHeard: (id: string) => heard.has(id) },
      bus,
      sendsMail: true,
      mailsPerHour,
    },
    ...{ baseUrl: () => 'https://plantroom.example', clock, log },
  }
  /** Runs as a process of its own would; the test moves the clock in steps and lets it decide. */
  const start = (cloudId = 'cloud_1', own: Partial<typeof deps> = {}) => startEvaluator({ ...deps, ...own, cloudId })
  let evaluator = start()
  const all = async () =>
    (await createAlertStore(db).list({ organizationId: 'org_a', siteIds: undefined, limit: 500 })).alerts

  const bench = {
    ...{ db, activity, clock, online, heard, devices, bus, warnings, start, all },
    async addDevices(count: number, name = 'a') {
      const rows = Array.from({ length: count }, (_, index) => `dev_${name}${index}`)
      const values = rows.map((id) => ({
        ...{ id, organization_id: `org_${name}`, site_id: `site_${name}`, name: `Device ${id}` },
        secret_hash: Buffer.alloc(32),
      }))
      await db.insertInto('device').values(values).execute()
      for (const id of rows) {
        devices.set(id, { id, organizationId: `org_${name}`, siteId: `site_${name}`, name: `Device ${id}` })
        online.add(id)
      }
      return rows
    },
    /** Lets time pass, with a decision every 10 s. */
    async pass(seconds: number, ...others: { tick(): Promise<void> }[]) {
      for (let left = seconds * 1000; left > 0; left -= TICK_MS) {
        // Only the wall and the monotonic clock: timers would run the ticks without waiting for the database.
        clock.advanceNow(Math.min(TICK_MS, left))
        await Promise.all([evaluator, ...others].map((one) => one.tick()))
      }
    },
    /** Lets time pass in which nothing else happens, with decisions at the beginning and at the end. */
    async leap(seconds: number) {
      await bench.pass(10)
      clock.advanceNow(seconds * 1000 - 2 * TICK_MS)
      // The timers have started one on the way.
      await evaluator.tick()
      await bench.pass(10)
    },
    settle: () => bench.leap(SETTLE_MS / 1000 + 20),
    kill: () => evaluator.close(),
    /** The process dies and another one starts. */
    async restart() {
      await evaluator.close()
      evaluator = start(`cloud_${Math.random()}`)
    },
    async report(deviceId: string, health: Partial<DeviceHealth>) {
      const document = { ...WELL, ...health }
      const one = { deviceId, at: clock.now(), document, hasTrouble: hasTrouble(document) }
      await createFactStore(db).saveHealth([one])
    },
    open: async () => (await all()).filter(({ closedAt }) => closedAt === null),
    mails: () => db.selectFrom('mail').select(['recipient', 'subject', 'body']).orderBy('position').execute(),
    events: async () => {
      const rows = await db
        .selectFrom('webhook_event')
        .innerJoin('webhook_delivery', 'event_id', 'webhook_event.id')
        .select(['type', 'data'])
        .orderBy('position')
        .execute()
      return rows.map(({ type, data }) => ({ type, alert: JSON.parse(data) as { id: string; kind: string } }))
    },
  }
  const hook = {
    id: 'wh_1',
    organization_id: 'org_a',
    url: 'https://receiver.example/',
    site_ids: null,
    secret: Buffer.alloc(1),
  }
  const empty = {
    previous_secret: null,
    previous_until: null,
    disabled_at: null,
    disabled_reason: null,
    failing_since: null,
  }
  await db
    .insertInto('webhook')
    .values({ ...hook, ...empty, types: ['alert.opened', 'alert.closed'], asked_until: null })
    .execute()
  return bench
}
