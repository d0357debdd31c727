import { createLog } from '@plantroom/base/log'
import type { ReportEntry } from '@plantroom/contract/reports'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createOrganizationStore } from '../../organization/organizations/organization-store.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { readReportBatch } from './report-receiver.ts'
import { createReportStore, type ReportStore, type StoredReport } from './report-store.ts'
import { entriesOf, entryOf } from './testing/entries.ts'

const PLACE = { organizationId: 'org', siteId: 'site' }
const ALL = { organizationId: 'org', siteIds: undefined, limit: 1000 }

async function open(): Promise<ReportStore> {
  const [store] = await openTwo()
  return store
}

/** The stores of two processes. */
async function openTwo(): Promise<[ReportStore, ReportStore]> {
  const connectionString = await createTestDatabase()
  const databases = [1, 2].map(() => openDatabase({ connectionString }, createLog('test', 'silent')))
  onTestFinished(async () => void (await Promise.all(databases.map((db) => db.destroy()))))
  const [db, other] = databases as [(typeof databases)[0], (typeof databases)[0]]
  await createOrganizationStore(db).addOrganization('org', 'Organization')
  return [createReportStore(db), createReportStore(other)]
}

const seqs = (entries: readonly ReportEntry[]) => entries.map(({ seq }) => seq)
const entriesIn = ({ reports }: { reports: readonly StoredReport[] }) => reports.map(({ entry }) => entry)

describe('stored entries', () => {
  test('are returned unchanged with the title of their code, newest first', async () => {
    const store = await open()
    const entries = [
      entryOf('dev_1', 1, { at: '2026-01-31T13:00:00.123+02:00', valueBefore: '-9007199254740993', value: 1e308 }),
      entryOf('dev_1', 2, {
        code: 4000,
        overrideId: null,
        reqId: null,
        value: null,
        readBack: null,
        phase: 'released',
      }),
      entryOf('dev_1', 3, { code: 4001, valueBefore: 5e-324, value: -0.1, readBack: '1.50', reason: 'restart' }),
      entryOf('dev_1', 4, { phase: 'released', inCharge: { priority: 8, value: 21.5, outranks: true } }),
    ]
    expect(await store.add(PLACE, entries)).toBe(4)
    const { reports, next } = await store.list(ALL)
    expect(next).toBeNull()
    expect(entriesIn({ reports }).toReversed()).toEqual([
      { ...entries[0], at: '2026-01-31T11:00:00.123Z' },
      { ...entries[1], name: 'OPTIMIZATION_PEAK_SHAVING', title: 'Peak shaving adjustment' },
      { ...entries[2], name: 'OPTIMIZATION_CLOUD_SCHEDULE', title: 'Cloud schedule adjustment' },
      entries[3],
    ])
  })

  test('are stored once, even when sent again or twice in a batch', async () => {
    const store = await open()
    const entries = entriesOf('dev_1', 5)
    expect(await store.add(PLACE, entries.slice(0, 3))).toBe(3)
    expect(await store.add(PLACE, [...entries, ...entries])).toBe(2)
    expect(await store.add(PLACE, entries)).toBe(0)
    expect(seqs(entriesIn(await store.list(ALL)))).toEqual([5, 4, 3, 2, 1])
  })

  test('are stored once, in order, by two concurrent processes', async () => {
    const [one, other] = await openTwo()
    const entries = entriesOf('dev_1', 200)
    const added = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 ? one : other).add(PLACE, entries)),
    )
    expect(added.reduce((sum, count) => sum + count)).toBe(200)
    expect(seqs(entriesIn(await one.list(ALL)))).toEqual(seqs(entries).toReversed())
  })

  test('are not replaced by another device that uses the same ids', async () => {
    const store = await open()
    const ours = entriesOf('dev_ours', 2)
    await store.add(
      PLACE,
      ours.map((entry) => ({ ...entry, deviceId: 'dev_hostile' })),
    )
    expect(await store.add(PLACE, ours)).toBe(2)
    expect(entriesIn(await store.list({ ...ALL, deviceId: 'dev_ours' })).toReversed()).toEqual(ours)
  })

  test('can be an empty list', async () => {
    expect(await (await open()).add(PLACE, [])).toBe(0)
  })
})

describe('any batch', () => {
  test('is accepted by the database once it is validated, so that no device is blocked forever', async () => {
    const store = await open()
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ maxLength: 300 }),
      fc.constant('x'),
    )
    const value = fc.oneof(fc.double(), fc.integer(), text, fc.constant(null))
    const inCharge = fc.oneof(
      fc.record({ priority: fc.integer(), value, outranks: fc.boolean(), more: text }, { requiredKeys: [] }),
      text,
      fc.constant(null),
    )
    const field = {
      id: text,
      connectionId: text,
      datapointId: text,
      overrideId: text,
      valueBefore: value,
      value,
      inCharge,
    }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record(field, { requiredKeys: [] })), async (changes) => {
        const entries = changes.map((change, index) => ({ ...entryOf('dev_1', index), ...change }))
        const batch = readReportBatch('dev_1', JSON.parse(JSON.stringify({ entries })))
        if (batch) await store.add(PLACE, batch.items)
      }),
      { numRuns: 200 },
    )
  })
})
