import { sleep, systemClock } from '@plantroom/base/clock'
import { correlate, currentCorrelation } from '@plantroom/base/correlation'
import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createOrganizationStore } from '../../organization/organizations/organization-store.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { timeOf } from '../../platform/work/index.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { createPresence } from './presence.ts'
import { shareOut, type TaskKind } from './task-lane.ts'
import {
  addTasks,
  createTaskStore,
  type DeviceTask,
  done,
  later,
  retry,
  settleTasks,
  type TaskResult,
} from './task-store.ts'
import { startDeviceTasks } from './tasks.ts'

const log = createLog('test', 'silent')
const KIND = 'greeting'
type Answer = (task: DeviceTask) => TaskResult

/** Two organizations with controllers that get greetings. */
async function start() {
  const db = openDatabase({ connectionString: await createTestDatabase() }, log)
  onTestFinished(() => db.destroy())
  const clock = createManualClock()
  for (const org of ['ours', 'theirs']) {
    await createOrganizationStore(db).addOrganization(org, org)
    await createOrganizationStore(db).addSite(`site_${org}`, org, { name: org })
  }
  const addDevices = (org: string, count: number) =>
    sql`
    INSERT INTO device (id, organization_id, site_id, name, secret_hash)
    SELECT ${org} || '_' || number, ${org}, 'site_' || ${org}, number, decode(repeat('00', 32), 'hex')
    FROM generate_series(1, ${count}::integer) AS number`.execute(db)
  /** Greets every controller of an organization, with these words. */
  const greet = (org: string, words: string, endsAt: Date | null = null) =>
    addTasks(
      KIND,
      sql`SELECT id AS device_id, ${words}::text AS subject, ${new Date(clock.now())}::timestamptz AS due_at,
        ${endsAt}::timestamptz AS ends_at FROM device WHERE organization_id = ${org}`,
    ).execute(db)
  const left = () => db.selectFrom('device_task').selectAll().orderBy('device_id').orderBy('subject').execute()
  const offline = new Set<string>()

  /** Starts a process, which answers each greeting with `answer`. */
  function startProcess(
    answer: (words: string, deviceId: string) => Promise<Answer>,
    { kindBefore, ...own }: Partial<TaskKind> & { kindBefore?: TaskKind } = {},
  ) {
    const greeted: string[] = []
    const listeners: ((deviceIds: readonly string[]) => void)[] = []
    const isOnline = (deviceId: string) => !offline.has(deviceId)
    const link = {
      presence: { ...createPresence(() => {}), isOnline },
      onBack: (listener: (deviceIds: readonly string[]) => void) => void listeners.push(listener),
    }
    const tasks = startDeviceTasks({ store: createTaskStore(db), link, clock, log })
    onTestFinished(() => void tasks.close())
    if (kindBefore) tasks.serve(kindBefore)
    tasks.serve({
      name: KIND,
      load: async (_tx, all) => all.map(({ deviceId, subject }) => ({ deviceId, subject })),
      async run(deviceId, all, settle) {
        for (const task of all) {
          greeted.push(`${task.subject} ${deviceId}`)
          settle((await answer(task.subject, deviceId))(task))
        }
      },
      store: (results) => settleTasks(db, { kind: KIND, results, now: timeOf(clock) }),
      ...own,
    })
    const back = (deviceId: string) => {
      for (const listener of listeners) listener([deviceId])
    }
    return { tasks, greeted, back }
  }
  return { db, clock, addDevices, greet, left, offline, startProcess }
}
const answers = async () => done
const silent = () => new Promise<never>(() => {})

test('a look that a request asks for is work of the service: it is for the tasks of everyone', async () => {
  const { startProcess } = await start()
  const asked: object[] = []
  const { tasks } = startProcess(answers, {
    async endOverdue() {
      asked.push(currentCorrelation())
      return undefined
    },
  })
  correlate({ organizationId: 'ours' }, () => tasks.wake())
  await tasks.close()
  expect(asked).toEqual([{}])
})

test('after a look, the next one waits for as long as the look took, or for 100 ms', async () => {
  const { startProcess } = await start()
  const looks: { began: number; ended: number }[] = []
  const { tasks } = startProcess(answers, {
    async endOverdue() {
      const began = systemClock.monotonic()
      await sleep(systemClock, 50)
      looks.push({ began, ended: systemClock.monotonic() })
      return undefined
    },
  })
  tasks.wake()
  await eventually(() => expect(looks).toHaveLength(1))
  tasks.wake()
  await eventually(() => expect(looks).toHaveLength(2))
  expect((looks[1]?.began ?? 0) - (looks[0]?.ended ?? 0)).toBeGreaterThanOrEqual(50)
})

describe('a task of a controller', () => {
  test('is done once, by one of several processes, and is gone then', async () => {
    const { addDevices, greet, left, startProcess } = await start()
    await addDevices('ours', 40)
    await greet('ours', 'hello')
    const processes = [startProcess(answers), startProcess(answers)]
    for (const { tasks } of processes) tasks.wake()
    await eventually(async () => expect(await left()).toEqual([]))
    expect(processes.flatMap(({ greeted }) => greeted)).toHaveLength(40)
  })

  test('that was just added does not wait for a look that takes long, nor is it done twice', async () => {
    const { addDevices, greet, left, startProcess } = await start()
    await addDevices('theirs', 3)
    await addDevices('ours', 2)
    await greet('theirs', 'hello')
    const look = Promise.withResolvers<void>()
    const none = { load: async () => [], run: async () => {}, store: async () => {} }
    const slow: TaskKind = { ...none, name: 'slow', endOverdue: () => look.promise.then(() => undefined) }
    const { tasks, greeted } = startProcess(answers, { kindBefore: slow })
    tasks.wake()
    await greet('ours', 'hello')
    const ours = { kind: KIND, organizationId: 'ours' }
    tasks.wake({ ...ours, deviceIds: ['ours_1', 'ours_2'] })
    await eventually(() => expect(greeted.toSorted()).toEqual(['hello ours_1', 'hello ours_2']))
    look.resolve()
    await eventually(async () => expect(await left()).toEqual([]))
    expect(greeted).toHaveLength(5)
  })

  test('that was just added waits for a place of its organization', async () => {
    const { addDevices, greet, startProcess } = await start()
    await addDevices('ours', 3)
    await addDevices('theirs', 1)
    await greet('ours', 'hello')
    const { tasks, greeted } = startProcess(silent, { atOnce: 2 })
    tasks.wake({ kind: KIND, organizationId: 'ours', deviceIds: ['ours_1', 'ours_2', 'ours_3'] })
    await eventually(() => expect(greeted).toEqual(['hello ours_1']))
    await greet('theirs', 'hello')
    tasks.wake({ kind: KIND, organizationId: 'theirs', deviceIds: ['theirs_1'] })
    await eventually(() => expect(greeted).toEqual(['hello ours_1', 'hello theirs_1']))
  })

  test('waits while the controller is away, and is done when it is back', async () => {
    const { addDevices, greet, left, offline, startProcess } = await start()
    await addDevices('ours', 2)
    offline.add('ours_1')
    await greet('ours', 'hello')
    const { tasks, greeted, back } = startProcess(answers)
    tasks.wake()
    await eventually(async () => expect(await left()).toMatchObject([{ device_id: 'ours_1', claim: 0 }]))
    offline.clear()
    back('ours_1')
    await eventually(async () => expect(await left()).toEqual([]))
    expect(greeted).toEqual(['hello ours_2', 'hello ours_1'])
  })

  test('that failed waits longer each time, and not when the controller comes back', async () => {
    const { clock, addDevices, greet, left, startProcess } = await start()
    await addDevices('ours', 1)
    await greet('ours', 'hello')
    const { tasks, greeted, back } = startProcess(async () => (task) => retry(task))
    const dueIn = async () => Number((await left())[0]?.due_at) - clock.now()
    tasks.wake()
    await eventually(async () => expect(await dueIn()).toBe(1_000))
    await clock.advance(1_000)
    await eventually(async () => expect(await dueIn()).toBe(2_000))
    back('ours_1')
    await eventually(async () => expect(await dueIn()).toBe(4_000))
    expect(greeted).toHaveLength(3)
  })

  test('that is to be done once more later is not done earlier, also when the controller comes back', async () => {
    const { addDevices, greet, left, startProcess } = await start()
    await addDevices('ours', 1)
    await greet('ours', 'hello')
    const { tasks, greeted, back } = startProcess(async () => (task) => later(task, 60_000))
    tasks.wake()
    await eventually(async () => expect(await left()).toMatchObject([{ claim: 1, leased_until: null, attempts: 0 }]))
    back('ours_1')
    // Closing waits for the look that the return caused.
    await tasks.close()
    expect(greeted).toHaveLength(1)
  })

  test('of a process that was killed is done by another when the lease ends; the first one then records nothing', async () => {
    const { clock, addDevices, greet, left, startProcess } = await start()
    await addDevices('ours', 1)
    await greet('ours', 'hello')
    const late = Promise.withResolvers<typeof done>()
    const first = startProcess(() => late.promise)
    first.tasks.wake()
    await eventually(() => expect(first.greeted).toHaveLength(1))
    const second = startProcess(silent)
    second.tasks.wake()
    await clock.advance(29_000)
    expect(second.greeted).toEqual([])
    await eventually(async () => {
      await clock.advance(1_000)
      expect(second.greeted).toHaveLength(1)
    })
    late.resolve(done)
    await first.tasks.close()
    expect(await left()).toMatchObject([{ claim: 2, attempts: 2 }])
  })

  test('that is asked for again while a process does it is done again', async () => {
    const { addDevices, greet, left, startProcess } = await start()
    await addDevices('ours', 1)
    await greet('ours', 'hello')
    const first = Promise.withResolvers<typeof done>()
    const { tasks, greeted } = startProcess(() => (greeted.length === 1 ? first.promise : answers()))
    tasks.wake()
    await eventually(() => expect(greeted).toHaveLength(1))
    await greet('ours', 'hello')
    first.resolve(done)
    await eventually(async () => {
      tasks.wake()
      expect(await left()).toEqual([])
    })
    expect(greeted).toHaveLength(2)
  })

  test('is not sent after its end, and a command in time says until when it may take effect', async () => {
    const { clock, addDevices, greet, left, startProcess } = await start()
    await addDevices('ours', 1)
    await greet('ours', 'too late', new Date(clock.now()))
    await greet('ours', 'in time', new Date(clock.now() + 5_000))
    const { tasks, greeted } = startProcess(silent)
    tasks.wake()
    await eventually(() => expect(greeted).toEqual(['in time ours_1']))
    const [inTime, tooLate] = await left()
    expect([inTime?.sent_until, tooLate?.sent_until]).toEqual([new Date(clock.now() + 5_000), null])
  })

  test('about nothing any more is dropped, and so is that of a controller that was removed', async () => {
    const { db, addDevices, greet, left, offline, startProcess } = await start()
    await addDevices('ours', 2)
    offline.add('ours_1')
    await greet('ours', 'hello')
    const { tasks, greeted } = startProcess(answers, { load: async () => [] })
    tasks.wake()
    await eventually(async () => expect(await left()).toHaveLength(1))
    await db.deleteFrom('device').where('id', '=', 'ours_1').execute()
    expect([await left(), greeted]).toEqual([[], []])
  })

  test('does not wait for another kind that fails', async () => {
    const { db, addDevices, greet, left, startProcess } = await start()
    await addDevices('ours', 1)
    await greet('ours', 'hello')
    await sql`INSERT INTO device_task (device_id, kind, subject, organization_id, due_at)
      VALUES ('ours_1', 'broken', '', 'ours', to_timestamp(0))`.execute(db)
    const fail = () => Promise.reject(new Error('broken'))
    const broken = { name: 'broken', load: fail, run: fail, store: fail, endOverdue: fail }
    const { tasks } = startProcess(answers, { kindBefore: broken })
    tasks.wake()
    await eventually(async () => expect((await left()).map(({ kind }) => kind)).toEqual(['broken']))
  })
})

describe('organizations', () => {
  test('with 10,000 silent controllers do not keep the task of another one waiting', async () => {
    const { addDevices, greet, left, startProcess } = await start()
    await addDevices('theirs', 10_000)
    await addDevices('ours', 1)
    await greet('theirs', 'hello')
    const { tasks, greeted } = startProcess((_words, deviceId) =>
      deviceId.startsWith('theirs') ? silent() : answers(),
    )
    tasks.wake()
    await eventually(() => expect(greeted).toHaveLength(50), 30_000)
    expect(tasks.longestWait()).toBe(0)
    await greet('ours', 'hello')
    tasks.wake()
    await eventually(() => expect(greeted).toContain('hello ours_1'), 30_000)
    await eventually(async () => expect((await left()).filter((row) => row.organization_id === 'ours')).toEqual([]))
    expect(greeted).toHaveLength(51)
  })

  test('with many tasks for each of some controllers do not keep the newer task of another one waiting', async () => {
    const { db, clock, addDevices, greet, startProcess } = await start()
    await addDevices('theirs', 20)
    await addDevices('ours', 1)
    await addTasks(
      KIND,
      sql`SELECT device.id AS device_id, number::text AS subject,
        ${new Date(clock.now() - 1000)}::timestamptz AS due_at, NULL::timestamptz AS ends_at
        FROM device, generate_series(1, 100) AS number WHERE organization_id = 'theirs'`,
    ).execute(db)
    await greet('ours', 'hello')
    const { tasks, greeted } = startProcess((_words, deviceId) =>
      deviceId.startsWith('theirs') ? silent() : answers(),
    )
    tasks.wake()
    await eventually(() => expect(greeted).toContain('hello ours_1'))
    await eventually(() => expect(new Set(greeted.map((line) => line.split(' ')[1])).size).toBe(21))
  })

  test.each([
    ['take turns', 'aaabbb', {}, 4, 'abab'],
    ['with fewer running come first', 'aabb', { a: 1 }, 4, 'bab'],
    ['have at most half of the places, also alone', 'aaaa', {}, 4, 'aa'],
    ['get nothing while no place is free', 'ab', { a: 2, c: 2 }, 4, ''],
  ])('%s', (_what, due, running, atOnce, expected) => {
    const items = [...due].map((organizationId) => ({ organizationId }))
    const chosen = shareOut(items, new Map(Object.entries(running)), atOnce)
    expect(chosen.map(({ organizationId }) => organizationId).join('')).toBe(expected)
  })
})
