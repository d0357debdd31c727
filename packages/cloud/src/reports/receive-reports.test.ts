import { createLog } from '@plantroom/base/log'
import type { ReportEntry } from '@plantroom/contract/reports'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { joinAs, listenTo, OTHER, OURS } from '../broker/testing/devices.ts'
import { startBroker } from '../broker/testing/embedded.ts'
import { type DatabaseAddress, type Db, openDatabase } from '../db/database.ts'
import { startProxy } from '../db/testing/proxy.ts'
import { createOrganizationStore } from '../organizations/organization-store.ts'
import { createTestDatabase } from '../testing/database.ts'
import { receiveReports } from './receive-reports.ts'
import { createReportStore } from './report-store.ts'
import { entriesOf, entryOf } from './testing/entries.ts'

const silent = createLog('test', 'silent')

function open(address: DatabaseAddress): Db {
  const db = openDatabase(address, silent)
  onTestFinished(() => db.destroy())
  return db
}

/** Two devices on a real broker; what they report goes to a real database, on a way that can be cut. */
async function start() {
  const connectionString = await createTestDatabase()
  const [elsewhere, way] = [open({ connectionString }), await startProxy(connectionString)]
  await createOrganizationStore(elsewhere).addOrganization('org', 'Organization')
  const { broker, url } = await startBroker()
  const logged: string[] = []
  const place = { organizationId: 'org', siteId: 'site' }
  let stored = 0
  const process = () =>
    receiveReports({
      bus: broker,
      store: createReportStore(open(way.address)),
      findDevice: (deviceId) => (deviceId === OURS || deviceId === OTHER ? place : undefined),
      onStored: (count) => {
        stored += count
      },
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
    return (await createReportStore(elsewhere).list(query)).reports.toReversed()
  }
  const startAnother = () => processes.push(process())
  return { elsewhere, way, logged, heard, send, list, startAnother, storedCount: () => stored }
}

const confirmation = (upTo: number) => ({ topic: topics.confirm(OURS, 'reports', upTo), text: '' })
const seqs = (entries: readonly ReportEntry[]) => entries.map(({ seq }) => seq)

describe('what a device reports', () => {
  test('is kept, and confirmed to it by the seq of the last', async () => {
    const { heard, send, list } = await start()
    const entries = entriesOf(OURS, 3)
    send({ entries })
    await eventually(() => expect(heard).toEqual([confirmation(3)]))
    expect(await list()).toEqual(entries)
  })

  test('is confirmed when it is committed, not before', async () => {
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

  test('twice, because its confirmation was lost, is kept once and confirmed twice', async () => {
    const { heard, send, list, storedCount } = await start()
    const entries = entriesOf(OURS, 3)
    send({ entries })
    send({ entries })
    await eventually(() => expect(heard).toEqual([confirmation(3), confirmation(3)]))
    expect(await list()).toEqual(entries)
    expect(storedCount()).toBe(3)
  })

  test('to several processes at once is kept once, in order, whoever confirms it', async () => {
    const { heard, send, list, startAnother, storedCount } = await start()
    startAnother()
    startAnother()
    const entries = entriesOf(OURS, 300)
    for (const from of [0, 100, 200]) send({ entries: entries.slice(from, from + 100) })
    await eventually(() => expect(heard).toHaveLength(9))
    expect(await list()).toEqual(entries)
    expect(storedCount()).toBe(300)
  })

  test('with poison in it is kept without the poison and confirmed, and so is what comes after', async () => {
    const { heard, logged, send, list } = await start()
    const ofAnother = entryOf(OTHER, 2)
    send({ entries: [entryOf(OURS, 1), ofAnother, { seq: 3 }] })
    send({ entries: [entryOf(OURS, 4)] })
    await eventually(() => expect(heard).toEqual([confirmation(3), confirmation(4)]))
    expect(seqs(await list())).toEqual([1, 4])
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ device: OURS, count: 2 }])
  })

  test('while the database is gone is not confirmed; sent again when it is back, it is kept', async () => {
    const { way, heard, logged, send, list } = await start()
    const entries = entriesOf(OURS, 2)
    await way.cut()
    send({ entries })
    await eventually(() => expect(logged[0]).toContain('could not be kept'))
    expect(heard).toEqual([])
    await way.mend()
    send({ entries })
    await eventually(() => expect(heard).toEqual([confirmation(2)]))
    expect(await list()).toEqual(entries)
  })
})
