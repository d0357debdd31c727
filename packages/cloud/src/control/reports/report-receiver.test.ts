import { createLog } from '@plantroom/base/log'
import type { ReportEntry } from '@plantroom/contract/reports'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { activityOn } from '../../organization/activity/testing/logs.ts'
import { createOrganizationStore } from '../../organization/organizations/organization-store.ts'
import { joinAs, listenTo, OTHER, OURS } from '../../platform/broker/testing/devices.ts'
import { startBroker } from '../../platform/broker/testing/embedded.ts'
import { type DatabaseAddress, type Db, openDatabase } from '../../platform/db/database.ts'
import { startProxy } from '../../platform/db/testing/proxy.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { receiveReports } from './index.ts'
import { readReportBatch } from './report-receiver.ts'
import { createReportStore } from './report-store.ts'
import { entriesOf, entryOf } from './testing/entries.ts'

const silent = createLog('test', 'silent')

function open(address: DatabaseAddress): Db {
  const db = openDatabase(address, silent)
  onTestFinished(() => db.destroy())
  return db
}

/** Two devices on a real broker, and a real database with a connection that the test can cut. */
async function start() {
  const connectionString = await createTestDatabase()
  const [elsewhere, proxy] = [open({ connectionString }), await startProxy(connectionString)]
  await createOrganizationStore(elsewhere).addOrganization('org', 'Organization')
  const { broker, url } = await startBroker()
  const logged: string[] = []
  const place = { organizationId: 'org', siteId: 'site' }
  const process = (db = open(proxy.address)) =>
    receiveReports({
      bus: broker,
      db,
      activity: activityOn(db),
      findDevice: (deviceId) => (deviceId === OURS || deviceId === OTHER ? place : undefined),
      log: createLog('test', 'warn', { write: (line) => void logged.push(line) }),
    })
  const processes = [process()]
  broker.receive({
    message: (topic, payload) => {
      for (const { receive } of processes) receive(topic.split('/')[1] ?? '', payload)
    },
    lost: () => {},
  })
  const device = await joinAs(url, OURS)
  const heard = listenTo(device)
  const send = (batch: unknown) => device.publish(topics.reports(OURS), JSON.stringify(batch), { qos: 1 })
  const list = async () => {
    const query = { organizationId: 'org', siteIds: undefined, limit: 1000 }
    return (await createReportStore(elsewhere).list(query)).reports.map(({ entry }) => entry).toReversed()
  }
  const startAnother = () => processes.push(process())
  return {
    elsewhere,
    proxy,
    logged,
    heard,
    send,
    list,
    startAnother,
    storedCount: () => processes.reduce((sum, { stored }) => sum + stored, 0),
  }
}

const confirmation = (upTo: number) => ({ topic: topics.confirm(OURS, 'reports', upTo), text: '' })
const seqs = (entries: readonly ReportEntry[]) => entries.map(({ seq }) => seq)

describe('a batch of entries', () => {
  test('is stored and confirmed up to its last entry', async () => {
    const { heard, send, list } = await start()
    const entries = entriesOf(OURS, 3)
    send({ entries })
    await eventually(() => expect(heard).toEqual([confirmation(3)]))
    expect(await list()).toEqual(entries)
  })

  test('is confirmed only after the commit', async () => {
    const { elsewhere, heard, send, list } = await start()
    await elsewhere.transaction().execute(async (tx) => {
      await sql`LOCK TABLE report IN EXCLUSIVE MODE`.execute(tx)
      send({ entries: entriesOf(OURS, 1) })
      await eventually(async () => {
        const { rows } = await sql`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'report'::regclass`.execute(
          tx,
        )
        expect(rows).toHaveLength(1)
      })
      expect(heard).toEqual([])
    })
    await eventually(() => expect(heard).toEqual([confirmation(1)]))
    expect(await list()).toHaveLength(1)
  })

  test('sent twice is stored once and confirmed twice', async () => {
    const { heard, send, list, storedCount } = await start()
    const entries = entriesOf(OURS, 3)
    send({ entries })
    send({ entries })
    await eventually(() => expect(heard).toEqual([confirmation(3), confirmation(3)]))
    expect(await list()).toEqual(entries)
    expect(storedCount()).toBe(3)
  })

  test('received by several processes is stored once, in order', async () => {
    const { heard, send, list, startAnother, storedCount } = await start()
    startAnother()
    startAnother()
    const entries = entriesOf(OURS, 300)
    for (const from of [0, 100, 200]) send({ entries: entries.slice(from, from + 100) })
    await eventually(() => expect(heard).toHaveLength(9))
    expect(await list()).toEqual(entries)
    expect(storedCount()).toBe(300)
  })

  test('with invalid entries is stored without them and confirmed, as is the next batch', async () => {
    const { heard, logged, send, list } = await start()
    const foreign = entryOf(OTHER, 2)
    send({ entries: [entryOf(OURS, 1), foreign, { seq: 3 }] })
    send({ entries: [entryOf(OURS, 4)] })
    await eventually(() => expect(heard).toEqual([confirmation(3), confirmation(4)]))
    expect(seqs(await list())).toEqual([1, 4])
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ device: OURS, count: 2 }])
  })

  test('is not confirmed while the database is down, and is stored when sent again', async () => {
    const { proxy, heard, logged, send, list } = await start()
    const entries = entriesOf(OURS, 2)
    await proxy.cut()
    send({ entries })
    await eventually(() => expect(logged[0]).toContain('could not store a batch'))
    expect(heard).toEqual([])
    await proxy.restore()
    send({ entries })
    await eventually(() => expect(heard).toEqual([confirmation(2)]))
    expect(await list()).toEqual(entries)
  })
})

const DEVICE = 'dev_1'
/** Reads a batch as it arrives, after JSON. */
const read = (batch: unknown) => readReportBatch(DEVICE, JSON.parse(JSON.stringify(batch)))

describe('a batch of reports', () => {
  test('is accepted as a whole and confirmed up to its last entry', () => {
    const entries = entriesOf(DEVICE, 3)
    expect(read({ entries })).toEqual({ items: entries, rows: 3, upTo: 3, rejected: [] })
  })

  test('may contain values as exact digits in text, or null', () => {
    const entry = entryOf(DEVICE, 1, { valueBefore: '9007199254740993', value: null, readBack: null })
    expect(read({ entries: [entry] })?.items).toEqual([entry])
  })

  test('may contain entries without an override or reqId, as from peak shaving', () => {
    const entry = entryOf(DEVICE, 1, { code: 4000, overrideId: null, reqId: null })
    expect(read({ entries: [entry] })?.items).toEqual([entry])
  })

  test.each([
    ['null', null],
    ['text', 'entries'],
    ['a list', []],
    ['without entries', {}],
    ['with entries that are not a list', { entries: { length: 1 } }],
    ['without any entry', { entries: [] }],
    ['without any valid seq', { entries: [null, 5, {}, { seq: '7' }, { seq: -1 }, { seq: 1.5 }, { seq: 1e300 }] }],
  ])('that is %s is not a batch', (_what, batch) => {
    expect(read(batch)).toBeUndefined()
  })

  test.each([
    ['of another device', { deviceId: 'dev_2' }, 'deviceId'],
    ['of no device', { deviceId: undefined }, 'deviceId'],
    ['without an id', { id: undefined }, 'id'],
    ['with an empty id', { id: '' }, 'id'],
    ['with an id that is not text', { id: 5 }, 'id'],
    ['with a very long id', { id: 'x'.repeat(256) }, 'id'],
    ['with U+0000 in a text', { datapointId: 'a\0b' }, 'datapointId'],
    ['with half a character in a text', { connectionId: 'a\ud800' }, 'connectionId'],
    ['of an unknown code', { code: 4002 }, 'code'],
    ['of a code that is text', { code: '4005' }, 'code'],
    ['of a code that is a property of every object', { code: 'toString' }, 'code'],
    ['of no time', { at: 'yesterday' }, 'at'],
    ['of a time without a zone', { at: '2026-01-31T12:00:00' }, 'at'],
    ['of a time before 1970', { at: '0000-01-01T00:00:00Z' }, 'at'],
    ['without a technical system', { technicalSystemId: null }, 'technicalSystemId'],
    ['with an override that is not text', { overrideId: 1 }, 'overrideId'],
    ['without an override field', { overrideId: undefined }, 'overrideId'],
    ['with a reqId that is not text', { reqId: {} }, 'reqId'],
    ['of an unknown phase', { phase: 'begun' }, 'phase'],
    ['of an unknown reason', { reason: 'why not' }, 'reason'],
    ['with a value that is a list', { value: [1] }, 'value'],
    ['with a value of very many digits', { readBack: '1'.repeat(101) }, 'readBack'],
    ['without the value before', { valueBefore: undefined }, 'valueBefore'],
    ['with a seq that is text', { seq: '2' }, 'seq'],
  ])('rejects an entry %s with the reason, and is confirmed', (_what, changes, field) => {
    const [first, last] = [entryOf(DEVICE, 1), entryOf(DEVICE, 3)]
    const batch = read({ entries: [first, { ...entryOf(DEVICE, 2), ...changes }, last] })
    expect(batch).toMatchObject({ items: [first, last], upTo: 3 })
    expect(batch?.rejected).toEqual([expect.stringMatching(new RegExp(`^seq (2|unknown): ${field} is (not|invalid)`))])
  })

  test('rejects a number beyond the range of a double', () => {
    const text = JSON.stringify({ entries: [entryOf(DEVICE, 1)] }).replace('"value":21.5', '"value":1e400')
    expect(readReportBatch(DEVICE, JSON.parse(text))).toMatchObject({ items: [], upTo: 1 })
  })

  test.each([[null], [5], ['text'], [[]]])('rejects %j as an entry', (entry) => {
    const good = entryOf(DEVICE, 1)
    expect(read({ entries: [good, entry] })).toMatchObject({ items: [good], upTo: 1, rejected: [expect.any(String)] })
  })

  test('is confirmed up to an invalid last entry, so that it is not sent again forever', () => {
    const invalid = { ...entryOf(DEVICE, 2), phase: 'begun' }
    expect(read({ entries: [entryOf(DEVICE, 1), invalid] })).toMatchObject({ upTo: 2 })
  })
})
