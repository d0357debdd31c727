import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, onTestFinished } from 'vitest'
import { createKeyStore } from '../../../organization/access/keys/key-store.ts'
import { createOrganizationStore } from '../../../organization/organizations/organization-store.ts'
import { openDatabase } from '../../../platform/db/database.ts'
import { startDuties } from '../../../platform/work/index.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { createTaskStore, type TaskStore } from '../../devices/task-store.ts'
import { startDeviceTasks } from '../../devices/tasks.ts'
import type { NamedCaller } from '../dispatch-add-store.ts'
import { createDispatchStore } from '../dispatch-store.ts'
import { serveFleet } from '../fleet-tasks.ts'
import { planLimit } from '../limit-plan.ts'
import { createLostShareStore, type LostShareStore } from '../lost-share-store.ts'
import { lostShares } from '../lost-shares.ts'
import { createMeterStore } from '../meter-store.ts'
import { createTargetStore, type EndedDispatch, type TargetStore } from '../target-store.ts'
import { createImitatedDevice, type ImitatedDevice, linkTo } from './imitated-device.ts'

const log = createLog('test', 'silent')
export const KEY: NamedCaller = { id: 'key_ann', name: 'Ann' }

/** An organization with imitated controllers, and a key for all of them. */
export async function startFleet(count: number, { datapointsEach = 1 } = {}) {
  const db = openDatabase({ connectionString: await createTestDatabase() }, log)
  onTestFinished(() => db.destroy())
  const clock = createManualClock()
  const organizations = createOrganizationStore(db)
  await organizations.addOrganization('org', 'Organization')
  for (const site of ['site', 'annex']) await organizations.addSite(site, 'org', { name: site })
  await createKeyStore(db).add({
    ...{ ...KEY, organizationId: 'org', hash: Buffer.alloc(32), siteIds: null },
    permissions: ['edge-device:read_write'],
  })
  const ids = Array.from({ length: count }, (_, index) => `dev_${String(index).padStart(4, '0')}`)
  const own = { organization_id: 'org', site_id: 'site', secret_hash: Buffer.alloc(32) }
  await db
    .insertInto('device')
    .values(ids.map((id) => ({ id, name: id, ...own })))
    .execute()
  const devices = new Map(ids.map((id) => [id, createImitatedDevice(id, clock)]))
  const ended: EndedDispatch[] = []
  /** Whether processes know that the key works. */
  const world = { isActive: true }

  /** Starts a cloud process. `kill` ends it like a power cut: it stores nothing any more. */
  function startProcess(change: (store: TargetStore) => TargetStore = (same) => same) {
    let isKilled = false
    const { link, back, cut } = linkTo(devices, clock)
    const real = createTargetStore(db, async (_tx, one) => void ended.push(one))
    const unlessKilled = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
      return (...args: Args): Promise<Result> => (isKilled ? new Promise(() => {}) : work(...args))
    }
    const store = change({
      ...real,
      settle: unlessKilled(real.settle),
      settleReleases: unlessKilled(real.settleReleases),
      expire: unlessKilled(real.expire),
    })
    const realTasks = createTaskStore(db)
    const taskStore: TaskStore = {
      ...realTasks,
      claim: (options) => (isKilled ? new Promise(() => {}) : realTasks.claim(options)),
    }
    const engine = startDeviceTasks({ store: taskStore, link, clock, log })
    serveFleet(engine, { store, link, isActive: () => world.isActive, clock, log })
    const kill = () => {
      isKilled = true
      cut()
    }
    onTestFinished(async () => {
      for (const device of devices.values()) device.mood = 'answers'
      if (!isKilled) engine.wake()
      kill()
    })
    return { engine, back, cut, kill }
  }

  /** Starts a worker that looks for lost shares. */
  async function startWorker(
    change: (store: LostShareStore) => LostShareStore = (same) => same,
    own: Clock = clock,
  ): Promise<void> {
    const store = change(createLostShareStore(db, async (_tx, one) => void ended.push(one)))
    const duties = await startDuties({ db, clock: own, log }, [lostShares({ store, clock: own })])
    onTestFinished(() => duties.stop())
  }

  async function add(about: { deadlineS?: number; toS?: number; placedBy?: NamedCaller; siteId?: string } = {}) {
    const { deadlineS = 60, toS = 900, placedBy = KEY, siteId = 'site' } = about
    const now = clock.now()
    const id = newId('dsp')
    const targets = ids.flatMap((deviceId) =>
      Array.from({ length: datapointsEach }, (_, index) => ({
        ...{ deviceId, siteId, datapointId: `dp_${deviceId}_${index}`, value: -20 - index, from: now },
      })),
    )
    const added = await createDispatchStore(db).add(
      {
        ...{ id, organizationId: 'org', placedBy, idempotencyKey: id, requestHash: '', value: -20, targets },
        ...{ totalKw: undefined, staggerSeconds: 0, reason: 'grid alarm' },
        window: { from: now, to: now + toS * 1000, deadline: now + deadlineS * 1000 },
      },
      new Date(now),
    )
    expect(added).toBe(true)
    return id
  }

  /** Commissions a power limit on every device: a load of 40 kW, and 5 kW that are guaranteed. */
  async function commissionLimits(): Promise<void> {
    const loads = [{ datapointId: 'load', kind: 'modulating', priority: 1, minKw: 0, maxKw: 40, kwPerUnit: 1 }]
    const document = (id: string) =>
      ({
        powerLimit: { meterId: `meter_${id}`, meterKwPerUnit: 1, guaranteedKw: 5, loads },
      }) as unknown as TechnicalSystem
    await db
      .insertInto('technical_system')
      .values(
        ids.map((id) => ({
          id: `ts_${id}`,
          device_id: id,
          name: 'Limits',
          document: JSON.stringify(document(id)) as never,
        })),
      )
      .execute()
  }

  /** Adds a power limit over all devices. */
  async function addLimit(kw: number, { deadlineS = 60, toS = 3600 } = {}): Promise<string> {
    const now = clock.now()
    const id = newId('lim')
    const limit = { direction: 'import', averagingSeconds: 900 } as const
    const meters = await createMeterStore(db).select({ organizationId: 'org', siteIds: undefined }, { deviceIds: ids })
    const time = (seconds: number) => new Date(now + seconds * 1000).toISOString()
    const request = { idempotencyKey: id, ...limit, kw, to: time(toS), deadline: time(deadlineS) }
    const added = await createDispatchStore(db).add(
      {
        ...{ id, organizationId: 'org', placedBy: KEY, idempotencyKey: id, requestHash: '', limit },
        ...{ value: undefined, totalKw: kw, staggerSeconds: 0, reason: undefined },
        ...planLimit(request, meters, now),
      },
      new Date(now),
    )
    expect(added).toBe(true)
    return id
  }

  /** Moves the clock step by step, so that statements to the database finish in between. */
  async function pass(seconds: number): Promise<void> {
    for (let left = seconds * 1000; left > 0; left -= 500) {
      await clock.advance(Math.min(500, left))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  /** Moves the clock until `check` stops throwing, for at most this long. */
  async function within(seconds: number, check: () => Promise<void> | void): Promise<void> {
    for (let left = seconds; left > 0; left -= 0.5) {
      if (
        await Promise.resolve(check()).then(
          () => true,
          () => false,
        )
      )
        return
      await pass(0.5)
    }
    await eventually(check)
  }

  const dispatches = createDispatchStore(db)
  const outcomes = async (id: string) =>
    (await dispatches.outcomes(id, { outcome: undefined, limit: 100_000, after: undefined })).outcomes
  const dispatch = async (id: string) => {
    const found = await dispatches.find(
      { organizationId: 'org', kind: id.startsWith('lim') ? 'limit' : 'setpoint' },
      id,
    )
    if (!found) throw new Error(`there is no dispatch ${id}`)
    return found
  }
  const cancel = (id: string) =>
    db.transaction().execute((tx) => createDispatchStore(tx).cancel(id, KEY, new Date(clock.now())))
  const device = (index: number): ImitatedDevice => {
    const found = devices.get(ids[index] ?? '')
    if (!found) throw new Error(`there is no device ${index}`)
    return found
  }
  const placements = (of: ImitatedDevice) => of.received.filter(({ command }) => command === 'demandResponseOverride')
  return {
    world,
    db,
    clock,
    pass,
    within,
    devices,
    device,
    ended,
    startProcess,
    startWorker,
    add,
    addLimit,
    commissionLimits,
    cancel,
    dispatch,
    outcomes,
    placements,
  }
}
