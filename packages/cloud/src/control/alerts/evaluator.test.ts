import { type AlertRules, DEFAULT_ALERT_RULES } from '@plantroom/contract/alerts'
import type { DeviceHealth } from '@plantroom/contract/health'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCommissioningVersionStore } from '../devices/commissioning-version-store.ts'
import { createAlertStore } from './alert-store.ts'
import { SETTLE_MS } from './evaluator.ts'
import { createFactStore } from './fact-store.ts'
import { alertAboutImport } from './import-alerts.ts'
import { createAlertMailStore } from './mail-store.ts'
import { openAlertBench, WELL } from './testing/bench.ts'

const trouble = (id: string, seconds = 0) => [{ id, name: `Name of ${id}`, seconds, reason: 'no answer' }]

const REPORTED: readonly (readonly [string, Partial<DeviceHealth>, string, number, number])[] = [
  ['disk-failed', { journalTrouble: 'its disk is read-only', journalTroubleSeconds: 0 }, 'dev_a0', 30, 60],
  ['connection-lost', { connections: trouble('con_1') }, 'con_1', 120, 60],
  ['setpoint-not-taken', { notTaken: trouble('dp_1') }, 'dp_1', 120, 30],
  ['not-restored', { notRestored: trouble('dp_2') }, 'dp_2', 120, 30],
  ['clock-wrong', { clockOffsetMs: -60_000, clockWrongSeconds: 0 }, 'dev_a0', 60, 60],
  ['disk-low', { freeBytes: 5, diskLowSeconds: 0 }, 'dev_a0', 60, 300],
  ['telemetry-gap', { droppedMeasurements: 7, droppedSeconds: 0 }, 'dev_a0', 0, 60],
]

async function setRules(db: Parameters<typeof createAlertStore>[0], change: (rules: AlertRules) => AlertRules) {
  await createAlertStore(db).setRules('org_a', change(DEFAULT_ALERT_RULES))
}

describe('a controller that goes offline', () => {
  test('has one alert after 5 minutes and its end a minute after it is back, reported once each', async () => {
    const bench = await openAlertBench()
    await bench.addDevices(1)
    await bench.settle()
    bench.online.clear()
    await bench.pass(290)
    expect(await bench.all()).toEqual([])
    await bench.pass(30)
    expect(await bench.all()).toMatchObject([
      { kind: 'controller-offline', deviceId: 'dev_a0', siteId: 'site_a', subject: { kind: 'device' }, closedAt: null },
    ])
    await bench.leap(600)
    bench.online.add('dev_a0')
    await bench.pass(60)
    expect((await bench.open()).length).toBe(1)
    await bench.pass(20)
    expect(await bench.all()).toMatchObject([{ closedAt: expect.any(String) }])
    await bench.leap(600)
    const [alert] = await bench.all()
    expect((await bench.events()).map(({ type, alert: { id } }) => [type, id])).toEqual([
      ['alert.opened', alert?.id],
      ['alert.closed', alert?.id],
    ])
    expect((await bench.mails()).map(({ recipient, subject }) => [recipient, subject])).toEqual([
      ['admin@example.com', 'The controller Device dev_a0 is offline'],
      ['admin@example.com', 'Over: The controller Device dev_a0 is offline'],
    ])
  })

  test('and comes and goes all the time has one alert, or none', async () => {
    const bench = await openAlertBench()
    const [often = '', seldom = ''] = await bench.addDevices(2)
    await bench.settle()
    for (let turn = 0; turn < 5; turn += 1) {
      // One is away for long and back for a moment, the other the other way round.
      bench.online.delete(often)
      bench.online.delete(seldom)
      await bench.pass(240)
      bench.online.add(seldom)
      await bench.pass(120)
      bench.online.add(often)
      await bench.pass(30)
    }
    expect(await bench.all()).toMatchObject([{ deviceId: often, closedAt: null }])
    expect((await bench.events()).length).toBe(1)
  })

  test('and was never seen has no alert', async () => {
    const bench = await openAlertBench()
    await bench.addDevices(3)
    bench.online.clear()
    await bench.settle()
    await bench.leap(3_600)
    expect(await bench.all()).toEqual([])
  })

  test('and was seen only before anything was decided has an alert', async () => {
    const bench = await openAlertBench()
    const [dead = ''] = await bench.addDevices(2)
    await bench.pass(30)
    bench.online.clear()
    bench.heard.add(dead)
    await bench.settle()
    await bench.leap(400)
    expect(await bench.all()).toMatchObject([{ kind: 'controller-offline', deviceId: dead, closedAt: null }])
  })

  test('and is removed closes its alerts', async () => {
    const bench = await openAlertBench()
    const [id = ''] = await bench.addDevices(1)
    await bench.settle()
    await bench.report(id, { connections: trouble('con_1', 600) })
    await bench.pass(10)
    bench.online.clear()
    await bench.leap(400)
    expect((await bench.open()).length).toBe(2)
    await bench.db.deleteFrom('device').where('id', '=', id).execute()
    bench.devices.delete(id)
    await bench.pass(10)
    expect([(await bench.open()).length, (await bench.all()).length]).toEqual([0, 2])
  })
})

describe('a restart of the cloud', () => {
  test('raises no false alert, however long the service was away, and counts from when a device was last seen', async () => {
    const bench = await openAlertBench()
    const ids = await bench.addDevices(300)
    await bench.settle()
    bench.online.clear()
    await bench.restart()
    bench.clock.step(3_600_000)
    // They come back within the time in which controllers reconnect, except for one.
    await bench.pass(60)
    for (const id of ids.slice(1)) bench.online.add(id)
    await bench.pass(120)
    expect(await bench.all()).toMatchObject([{ deviceId: ids[0] }])
    const [alert] = await bench.all()
    expect(bench.clock.now() - Date.parse(alert?.beganAt ?? '')).toBeGreaterThan(3_600_000)
  })

  test('forgets neither what is open nor what was reported', async () => {
    const bench = await openAlertBench()
    await bench.addDevices(1)
    await bench.settle()
    bench.online.clear()
    await bench.leap(400)
    for (let turn = 0; turn < 3; turn += 1) {
      await bench.restart()
      await bench.leap(300)
    }
    expect([(await bench.all()).length, (await bench.events()).length, (await bench.mails()).length]).toEqual([1, 1, 1])
  })
})

test('a lost broker is one line in the log, not an alert for each device', async () => {
  const bench = await openAlertBench()
  const ids = await bench.addDevices(50)
  await bench.settle()
  bench.bus.connected = false
  bench.online.clear()
  await bench.leap(3_600)
  expect(await bench.all()).toEqual([])
  expect(bench.warnings).toEqual(['the connection to the broker is lost: no alert opens or closes until it is back'])
  bench.bus.connected = true
  await bench.pass(60)
  for (const id of ids) bench.online.add(id)
  await bench.leap(600)
  expect(await bench.all()).toEqual([])
})

describe('several processes', () => {
  test('decide one at a time, and another takes over from one that dies', async () => {
    const bench = await openAlertBench()
    await bench.addDevices(20)
    const others = [bench.start('cloud_2'), bench.start('cloud_3')]
    await bench.pass(120, ...others)
    bench.online.clear()
    await bench.pass(400, ...others)
    expect([(await bench.all()).length, (await bench.events()).length]).toEqual([20, 20])
    for (const id of bench.devices.keys()) bench.online.add(id)
    await bench.kill()
    for (let turn = 0; turn < 15; turn += 1) {
      bench.clock.advanceNow(10_000)
      await Promise.all(others.map((one) => one.tick()))
    }
    const after = await bench.db.selectFrom('alert_evaluator').select('holder').executeTakeFirstOrThrow()
    expect(['cloud_2', 'cloud_3']).toContain(after.holder)
    expect([(await bench.open()).length, (await bench.events()).length]).toEqual([0, 40])
    await Promise.all(others.map((one) => one.close()))
  })

  test('leave the decision to the one that has it until its time is over', async () => {
    const { db } = await openAlertBench()
    const { lead } = createFactStore(db)
    const at = (seconds: number) => ({ now: new Date(seconds * 1000), until: new Date((seconds + 30) * 1000) })
    expect(await lead('cloud_1', at(0))).toEqual({ isNew: true, checkedAt: undefined })
    expect(await lead('cloud_2', at(29))).toBeUndefined()
    expect(await lead('cloud_1', at(10))).toEqual({ isNew: false, checkedAt: 0 })
    expect(await lead('cloud_2', at(41))).toEqual({ isNew: true, checkedAt: 10_000 })
    expect(await lead('cloud_1', at(42))).toBeUndefined()
  })

  test('that lose their connection to the database decide later, once', async () => {
    const bench = await openAlertBench()
    await bench.addDevices(1)
    await bench.settle()
    bench.online.clear()
    await bench.pass(100)
    await bench.db.schema.alterTable('alert').renameTo('alert_gone').execute()
    await bench.leap(300)
    await bench.db.schema.alterTable('alert_gone').renameTo('alert').execute()
    await bench.pass(20)
    expect([(await bench.all()).length, (await bench.events()).length]).toEqual([1, 1])
  })
})

describe('what a device reports', () => {
  test.each(REPORTED)('opens and closes %s once', async (kind, health, subjectId, openAfter, closeAfter) => {
    const bench = await openAlertBench()
    const [id = ''] = await bench.addDevices(1)
    await bench.settle()
    await bench.report(id, health)
    if (openAfter > 20) {
      await bench.pass(openAfter - 10)
      expect(await bench.all()).toEqual([])
    }
    await bench.pass(20)
    expect(await bench.all()).toMatchObject([{ kind, subject: { id: subjectId }, closedAt: null }])
    await bench.report(id, WELL)
    await bench.pass(closeAfter)
    expect((await bench.open()).length).toBe(1)
    await bench.pass(20)
    expect(await bench.all()).toMatchObject([{ kind, closedAt: expect.any(String) }])
    await bench.pass(100)
    expect((await bench.events()).map(({ type }) => type)).toEqual(['alert.opened', 'alert.closed'])
    expect((await bench.mails()).length).toBe(2)
  })

  test('counts from when it began, not from when it was reported', async () => {
    const bench = await openAlertBench()
    const [id = ''] = await bench.addDevices(1)
    await bench.settle()
    await bench.report(id, { connections: trouble('con_1', 3_600) })
    await bench.pass(10)
    const [alert] = await bench.open()
    expect(bench.clock.now() - Date.parse(alert?.beganAt ?? '')).toBe(3_610_000)
  })

  test('cannot fill the list: a device opens 100 alerts an hour', async () => {
    const bench = await openAlertBench()
    const [id = ''] = await bench.addDevices(1)
    await bench.settle()
    for (let turn = 0; turn < 4; turn += 1) {
      const made = Array.from({ length: 200 }, (_, index) => trouble(`con_${turn}_${index}`, 600)).flat()
      await bench.report(id, { connections: made })
      await bench.pass(10)
    }
    expect((await bench.all()).length).toBe(100)
    bench.online.clear()
    await bench.leap(400)
    expect((await bench.all()).length).toBe(101)
  })

  test('stays open while the device is offline, and closes when it is back and well', async () => {
    const bench = await openAlertBench()
    const [id = ''] = await bench.addDevices(1)
    await bench.settle()
    await bench.report(id, { notRestored: trouble('dp_1', 600) })
    await bench.pass(10)
    bench.online.clear()
    await bench.leap(7_200)
    expect((await bench.open()).map(({ kind }) => kind).sort()).toEqual(['controller-offline', 'not-restored'])
    bench.online.add(id)
    await bench.report(id, WELL)
    await bench.pass(100)
    expect(await bench.open()).toEqual([])
  })

  test('is no longer believed when an online device has said nothing for long', async () => {
    const bench = await openAlertBench()
    const [id = ''] = await bench.addDevices(1)
    await bench.settle()
    await bench.report(id, { connections: trouble('con_1', 600) })
    await bench.pass(10)
    expect((await bench.open()).length).toBe(1)
    await bench.leap(15 * 60)
    await bench.pass(60)
    expect(await bench.open()).toEqual([])
  })
})

test('a device that archives values and sends nothing for 15 minutes has an alert', async () => {
  const bench = await openAlertBench()
  const [silent = '', sending = '', idle = ''] = await bench.addDevices(3)
  const document = JSON.stringify({ connections: [{ datapoints: [{ analyticsInterval: 60 }] }] })
  for (const id of [silent, sending]) {
    await bench.db
      .insertInto('technical_system')
      .values({ id: `ts_${id}`, device_id: id, name: 'x', document })
      .execute()
  }
  await bench.db
    .insertInto('technical_system')
    .values({ id: 'ts_idle', device_id: idle, name: 'x', document: JSON.stringify({ connections: [] }) })
    .execute()
  const store = createFactStore(bench.db)
  await bench.settle()
  for (let minute = 0; minute < 20; minute += 2) {
    await store.saveMeasured(new Map([[sending, bench.clock.now()]]))
    await bench.pass(120)
  }
  expect(await bench.all()).toMatchObject([{ kind: 'telemetry-gap', deviceId: silent, closedAt: null }])
  await store.saveMeasured(new Map([silent, sending].map((id) => [id, bench.clock.now()])))
  await bench.pass(180)
  expect(await bench.open()).toEqual([])
})

test('a device whose values nobody could receive has no alert when the cloud is back, unless it stays silent', async () => {
  const bench = await openAlertBench()
  const [id = ''] = await bench.addDevices(1)
  const document = JSON.stringify({ connections: [{ datapoints: [{ analyticsInterval: 60 }] }] })
  await bench.db.insertInto('technical_system').values({ id: 'ts', device_id: id, name: 'x', document }).execute()
  await createFactStore(bench.db).saveMeasured(new Map([[id, bench.clock.now()]]))
  await bench.settle()
  await bench.restart()
  bench.clock.step(3_600_000)
  await bench.settle()
  await bench.pass(600)
  expect(await bench.all()).toEqual([])
  await bench.pass(300)
  expect(await bench.all()).toMatchObject([{ kind: 'telemetry-gap', deviceId: id }])
})

describe('a failed import', () => {
  const job = {
    id: 'job_1',
    name: 'TICKET_IMPORT',
    organizationId: 'org_a',
    siteId: 'site_a',
    filename: 'x.fpl',
  } as const

  test('opens one alert, which ends with the next import that succeeds', async () => {
    const bench = await openAlertBench()
    await bench.settle()
    const end = (id: string, status: 'SUCCESS' | 'FAILED') =>
      bench.db.transaction().execute((tx) => alertAboutImport(tx, { ...job, id }, { status } as never, bench.clock))
    await end('job_1', 'FAILED')
    await bench.pass(100)
    expect(await bench.open()).toMatchObject([
      { kind: 'import-failed', deviceId: null, subject: { kind: 'job', name: 'x.fpl' } },
    ])
    await end('job_2', 'SUCCESS')
    await bench.pass(100)
    expect([(await bench.open()).length, (await bench.events()).length, (await bench.mails()).length]).toEqual([
      0, 2, 2,
    ])
  })

  test('of which nobody takes care ends after a week', async () => {
    const bench = await openAlertBench()
    await alertAboutImport(bench.db, job, { status: 'FAILED' } as never, bench.clock)
    await bench.settle()
    expect((await bench.open()).length).toBe(1)
    bench.clock.step(7 * 86_400_000)
    await bench.pass(10)
    expect(await bench.open()).toEqual([])
  })

  test('is no alert for an export, a preview or when the rule is off', async () => {
    const bench = await openAlertBench()
    const failed = { status: 'FAILED' } as never
    for (const name of ['TICKET_EXPORT', 'PREVIEW_TICKET_IMPORT'] as const) {
      await alertAboutImport(bench.db, { ...job, name }, failed, bench.clock)
    }
    const off = { ...DEFAULT_ALERT_RULES.rules['import-failed'], enabled: false }
    await setRules(bench.db, ({ rules, recipients }) => ({ rules: { ...rules, 'import-failed': off }, recipients }))
    await alertAboutImport(bench.db, job, failed, bench.clock)
    expect(await bench.all()).toEqual([])
  })
})

describe('rules', () => {
  test('switch a kind off, which closes its alerts, and change its delays', async () => {
    const bench = await openAlertBench()
    await bench.addDevices(1)
    const offline = (change: object) => (given: AlertRules) => ({
      ...given,
      rules: { ...given.rules, 'controller-offline': { ...given.rules['controller-offline'], ...change } },
    })
    await setRules(bench.db, offline({ openAfterSeconds: 1_000 }))
    await bench.settle()
    bench.online.clear()
    await bench.leap(900)
    expect(await bench.all()).toEqual([])
    await bench.pass(120)
    expect((await bench.open()).length).toBe(1)
    await setRules(bench.db, offline({ enabled: false }))
    await bench.pass(10)
    expect(await bench.open()).toEqual([])
    await bench.leap(2_000)
    expect((await bench.all()).length).toBe(1)
  })
})

describe('mail', () => {
  test('about thousands of devices at once is one mail, and webhooks get one event each', async () => {
    const bench = await openAlertBench()
    await bench.addDevices(3_000)
    await bench.settle()
    bench.online.clear()
    await bench.leap(400)
    const mails = await bench.mails()
    expect(mails.map(({ subject }) => subject)).toEqual(['3000 alerts began'])
    expect(mails[0]?.body).toContain('The same on 2999 other controllers: ')
    expect((await bench.events()).length).toBe(3_000)
  })

  test('is sent at most once a minute, with what happened meanwhile', async () => {
    const bench = await openAlertBench()
    const ids = await bench.addDevices(6)
    await bench.settle()
    // One goes every 10 s.
    for (const id of ids) {
      bench.online.delete(id)
      await bench.pass(10)
    }
    await bench.leap(230)
    await bench.pass(150)
    expect((await bench.mails()).map(({ subject }) => subject)).toEqual([
      'The controller Device dev_a0 is offline',
      '5 alerts began',
    ])
  })

  test('is due again a minute after the last one, if something is unsent', async () => {
    const bench = await openAlertBench()
    await bench.addDevices(1)
    await bench.settle()
    bench.online.clear()
    await bench.leap(400)
    const { told_at } = await bench.db.selectFrom('alert_mail').select('told_at').executeTakeFirstOrThrow()
    const { due } = createAlertMailStore(bench.db)
    const dueAfter = async (ms: number) =>
      (await due(new Date(told_at.getTime() + ms), 100)).map(({ organizationId }) => organizationId)
    expect(await dueAfter(60_000)).toEqual([])
    await bench.db.updateTable('alert').set({ told_open: false }).execute()
    expect([await dueAfter(59_999), await dueAfter(60_000)]).toEqual([[], ['org_a']])
  })

  test('goes to the given addresses, each about its sites', async () => {
    const bench = await openAlertBench()
    await bench.addDevices(1)
    const recipients = [
      { email: 'all@example.com', siteIds: null },
      { email: 'here@example.com', siteIds: ['site_a'] },
      { email: 'elsewhere@example.com', siteIds: ['site_x'] },
    ]
    await setRules(bench.db, ({ rules }) => ({ rules, recipients }))
    await bench.settle()
    bench.online.clear()
    await bench.leap(400)
    expect((await bench.mails()).map(({ recipient }) => recipient)).toEqual(['all@example.com', 'here@example.com'])
  })

  test('of an organization without administrators goes to nobody, and nobody else gets it', async () => {
    const bench = await openAlertBench()
    await bench.addDevices(5, 'b')
    await bench.settle()
    bench.online.clear()
    await bench.leap(400)
    expect(await bench.mails()).toEqual([])
    const { alerts } = await createAlertStore(bench.db).list({ organizationId: 'org_b', siteIds: undefined, limit: 10 })
    expect(alerts.length).toBe(5)
  })

  test('stays below the limit of an hour, and then sends what waited', async () => {
    const bench = await openAlertBench({ mailsPerHour: 2 })
    const ids = await bench.addDevices(4)
    await bench.settle()
    for (const id of ids) {
      bench.online.delete(id)
      await bench.pass(120)
    }
    await bench.leap(400)
    expect((await bench.mails()).length).toBe(2)
    await bench.leap(3_600)
    expect((await bench.mails()).map(({ subject }) => subject).slice(2)).toEqual(['2 alerts began'])
  })

  test('has one line for each alert, whatever equipment is called', async () => {
    const bench = await openAlertBench()
    const [id = ''] = await bench.addDevices(1)
    await bench.settle()
    const name = 'x\r\nBcc: all@example.com\u2028'.repeat(5)
    await bench.report(id, { connections: [{ id: 'con_1', name, seconds: 600, reason: null }] })
    await bench.pass(10)
    const [mail] = await bench.mails()
    expect(mail?.subject).not.toMatch(/[\r\n\u2028]/)
    expect(mail?.body.split('\n').filter((line) => line.startsWith('Bcc'))).toEqual([])
  })
})

/** Starts a process that decides alone. The returned function moves the clock and lets it decide. */
async function startAlone(
  bench: Awaited<ReturnType<typeof openAlertBench>>,
  own: Parameters<typeof bench.start>[1] = {},
) {
  const evaluator = bench.start('cloud_alone', own)
  await bench.kill()
  onTestFinished(() => evaluator.close())
  return async (ms: number) => {
    bench.clock.advanceNow(ms)
    await evaluator.tick()
  }
}

test('something is decided every 10 s until the process stops', async () => {
  const bench = await openAlertBench()
  expect(bench.clock.waiting()).toEqual([10_000])
  await bench.kill()
  expect(bench.clock.waiting()).toEqual([])
})

test('how automatic exports go is read every 30 s, not for every decision', async () => {
  let reads = 0
  const exports = {
    async findTroubles() {
      reads += 1
      return []
    },
    findRecovered: async () => new Set<string>(),
  }
  const decideAfter = await startAlone(await openAlertBench(), { exports })
  const readsAfter = async (ms: number) => {
    await decideAfter(ms)
    return reads
  }
  expect([await readsAfter(0), await readsAfter(SETTLE_MS - 1), await readsAfter(1)]).toEqual([0, 0, 1])
  expect([await readsAfter(29_999), await readsAfter(1)]).toEqual([1, 2])
})

test('alerts that ended are kept for 366 days, and removed once an hour', async () => {
  const bench = await openAlertBench()
  const decideAfter = await startAlone(bench)
  for (const ms of [0, SETTLE_MS - 1, 1]) await decideAfter(ms)
  const keptFrom = bench.clock.now() + 3_600_000 - 366 * 86_400_000
  const store = createAlertStore(bench.db)
  const addEnded = async (id: string, at: number) => {
    const about = {
      organizationId: 'org_a',
      siteId: 'site_a',
      deviceId: null,
      deviceName: null,
      details: {},
      since: at,
    }
    await store.open([{ ...about, kind: 'import-failed', subject: { kind: 'job', id, name: id } }], new Date(at))
    await store.close((await bench.open()).map((alert) => ({ id: alert.id, at })))
  }
  await addEnded('older', keptFrom - 60_000)
  await addEnded('old', keptFrom - 1)
  await addEnded('kept', keptFrom)
  const left = async () => (await bench.all()).map(({ subject }) => subject.id)
  await decideAfter(3_599_999)
  expect(await left()).toEqual(['kept', 'old', 'older'])
  await decideAfter(1)
  expect(await left()).toEqual(['kept'])
})

test('a controller that had lost its memory has an alert for an hour, also when it got it back at once', async () => {
  const bench = await openAlertBench()
  const [deviceId = ''] = await bench.addDevices(1)
  await bench.settle()
  const at = new Date(bench.clock.now())
  const row = { id: 'rpl_1', requested_at: at, requested_by: '{"kind":"system","id":null,"name":null}', state: null }
  const own = {
    cause: 'memory-lost' as const,
    memory: JSON.stringify({ id: 'm', run: 'r', lost: 'the journal is missing' }),
  }
  const done = { state_at: null, finished_at: at, outcome: 'restored' as const, problem: null }
  await bench.db
    .insertInto('device_replacement')
    .values({ device_id: deviceId, ...row, ...own, ...done })
    .execute()
  await bench.pass(10)
  expect(await bench.open()).toMatchObject([
    { kind: 'memory-lost', deviceId, details: { reason: 'the journal is missing' } },
  ])
  await bench.leap(700)
  await bench.leap(3_400)
  expect(await bench.open()).toHaveLength(1)
  await bench.leap(400)
  expect(await bench.open()).toEqual([])
})

test('a controller that went back from a commissioning file has an alert until somebody loads one', async () => {
  const bench = await openAlertBench()
  const [deviceId = ''] = await bench.addDevices(1)
  await bench.settle()
  const versions = createCommissioningVersionStore(bench.db)
  const load = (kind: 'person' | 'device', loadId: string, system = 'sys') => {
    const by = { kind, id: kind, name: kind }
    return versions.add(
      deviceId,
      { id: system, name: 'Room', connections: [] },
      { at: new Date(bench.clock.now()), by, loadId },
    )
  }
  await load('person', 'load_1')
  const how = { at: '2030-01-01T00:00:00.000Z', reason: 'connections-lost', lost: ['Battery', 'Grid'] } as const
  await versions.markRolledBack(deviceId, ['load_1'], how)
  await load('device', 'load_2')
  // Of another technical system nothing was undone.
  await load('person', 'load_3', 'other')
  await load('device', 'load_4', 'other')
  await bench.pass(10)
  const reason = 'connections that were up before were lost: Battery, Grid'
  expect(await bench.open()).toMatchObject([
    { kind: 'file-rolled-back', deviceId, details: { technicalSystem: 'Room', reason } },
  ])
  await load('person', 'load_5')
  await bench.pass(10)
  expect(await bench.open()).toEqual([])
})
