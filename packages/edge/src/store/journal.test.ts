import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startChildProgram } from '@plantroom/testkit/child-program'
import { eventually } from '@plantroom/testkit/eventually'
import { aConnection, aSystem } from '@plantroom/testkit/technical-system'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { immediateChange } from '../testing/immediate-change.ts'
import { canListOpenFiles, openFilesIn } from '../testing/open-files.ts'
import { createAppliedStore } from './hold-store.ts'
import { openJournal } from './journal.ts'
import { createOverrideStore } from './override-store.ts'
import { createReportStore } from './report-store.ts'
import { RESERVE_BYTES } from './reserve.ts'
import { createTechnicalSystemStore } from './technical-system-store.ts'

const OPENER = new URL('../testing/journal-opener.ts', import.meta.url)

async function anotherProcess(folder: string, ...more: string[]) {
  const opener = startChildProgram(OPENER, { args: [folder, ...more], supervised: true })
  await eventually(() => expect(opener.messages).toHaveLength(1))
  return opener
}

describe('the journal', () => {
  test('is created with its folder, which only its owner can read', () => {
    const folder = join(temporaryFolder(), 'data/edge')
    openJournal(folder).close()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test('is flushed at every commit and exclusive to one process', () => {
    const journal = openJournal(temporaryFolder())
    const pragma = (name: string) => Object.values(journal.prepare(`PRAGMA ${name}`).get() ?? {})[0]
    const FULL = 2
    expect(pragma('journal_mode')).toBe('wal')
    expect(pragma('synchronous')).toBe(FULL)
    expect(pragma('locking_mode')).toBe('exclusive')
    journal.close()
  })

  test('can be reopened any number of times', () => {
    const folder = temporaryFolder()
    const saved = [1, 2, 3].map((count) => {
      const journal = openJournal(folder)
      const store = createTechnicalSystemStore(journal)
      store.save(immediateChange, aSystem(`ts_${count}`, []))
      const found = store.load().map(({ id }) => id)
      journal.close()
      return found
    })
    expect(saved).toEqual([['ts_1'], ['ts_1', 'ts_2'], ['ts_1', 'ts_2', 'ts_3']])
  })

  test('keeps a second process out from the start, with the remedy', async () => {
    const folder = temporaryFolder()
    const journal = openJournal(folder)
    expect((await anotherProcess(folder)).messages).toEqual([
      `the device's journal ${folder}/journal.db cannot be used: ` +
        'another edge process uses it; stop that one or set PLANTROOM_DATA to another folder',
    ])
    journal.close()
    expect((await anotherProcess(folder)).messages).toEqual(['open'])
  })

  test('keeps what a killed process had saved, and can be opened again', async () => {
    const folder = temporaryFolder()
    const system = aSystem('ts_1', [aConnection()])
    const killed = await anotherProcess(folder, JSON.stringify(system))
    expect(() => openJournal(folder)).toThrow('another edge process uses it')
    killed.kill('SIGKILL')
    await killed.ended
    const journal = openJournal(folder)
    expect(createTechnicalSystemStore(journal).load()).toEqual([system])
    journal.close()
  })

  test('of a newer version is not touched, with the remedy', () => {
    const folder = temporaryFolder()
    openJournal(folder).close()
    const raw = new DatabaseSync(join(folder, 'journal.db'))
    raw.exec('PRAGMA user_version = 99; CREATE TABLE of_the_future (id TEXT)')
    raw.close()
    expect(() => openJournal(folder)).toThrow(
      expect.objectContaining({
        kind: 'unavailable',
        message: expect.stringMatching(/newer version \(99, .*update Plantroom/),
      }),
    )
  })

  test('that is not a database is rejected with its path', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'journal.db'), 'not a database at all, though long enough to look like one')
    expect(() => openJournal(folder)).toThrow(`${folder}/journal.db cannot be used: file is not a database`)
  })

  test('whose folder cannot be created is rejected with its path', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    expect(() => openJournal(join(file, 'edge'))).toThrow(`${file}/edge/journal.db cannot be used: ENOTDIR`)
  })

  test('that is a folder cannot be used', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'journal.db'))
    expect(() => openJournal(folder)).toThrow('unable to open database file')
  })

  test('of the first release keeps its technical systems and gets the other tables', () => {
    const folder = temporaryFolder()
    const system = aSystem('ts_1', [aConnection()])
    const earlier = new DatabaseSync(join(folder, 'journal.db'))
    earlier.exec('PRAGMA journal_mode = WAL')
    earlier.exec('CREATE TABLE technical_system (id TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT')
    earlier.prepare('INSERT INTO technical_system VALUES (?, ?)').run(system.id, JSON.stringify(system))
    earlier.exec('PRAGMA user_version = 1')
    earlier.close()

    const journal = openJournal(folder)
    expect(createTechnicalSystemStore(journal).load()).toEqual([system])
    expect(createOverrideStore(journal).load()).toEqual([])
    expect(createReportStore(journal).lastSeq()).toBe(0)
    journal.close()
  })

  test('of an earlier version keeps its overrides and audit entries, unsettled ones included', () => {
    const folder = temporaryFolder()
    const earlier = new DatabaseSync(join(folder, 'journal.db'))
    earlier.exec('PRAGMA journal_mode = WAL')
    earlier.exec('CREATE TABLE technical_system (id TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT')
    earlier.exec(
      `CREATE TABLE override_window (
         seq INTEGER PRIMARY KEY, id TEXT NOT NULL, datapoint_id TEXT NOT NULL, value REAL NOT NULL,
         from_ms INTEGER NOT NULL, to_ms INTEGER NOT NULL, req_id TEXT NOT NULL, begun INTEGER NOT NULL
       ) STRICT;
       CREATE TABLE report (seq INTEGER PRIMARY KEY, settled INTEGER NOT NULL, entry TEXT NOT NULL) STRICT;
       CREATE INDEX report_unsettled ON report (seq) WHERE NOT settled;
       CREATE TABLE answer (
         seq INTEGER PRIMARY KEY, lookup INTEGER NOT NULL, key_id TEXT NOT NULL, req_id TEXT NOT NULL,
         request TEXT NOT NULL, reply TEXT NOT NULL, at INTEGER NOT NULL
       ) STRICT;
       CREATE TABLE fact (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID`,
    )
    earlier.exec("INSERT INTO override_window VALUES (7, 'ovr_7', 'power', 20.5, 100, 200, 'req_7', 1)")
    earlier.exec("INSERT INTO report VALUES (1, 1, '{}'), (2, 0, '{}')")
    earlier.exec('PRAGMA user_version = 2')
    earlier.close()

    const journal = openJournal(folder)
    const store = createOverrideStore(journal)
    const times = { from: 100, to: 200 }
    const unknown = { placedBy: '', placedByName: '', reason: '' }
    const before = { seq: 7, id: 'ovr_7', datapointId: 'power', value: 20.5, reqId: 'req_7', ...unknown, ...times }
    expect(store.load()).toEqual([before])
    const after = { ...before, seq: 8, id: 'ovr_8', placedBy: 'user:usr_1', placedByName: 'Ann', reason: 'grid alarm' }
    store.add(immediateChange, after)
    expect(store.load()).toEqual([before, after])
    const reports = createReportStore(journal)
    expect(reports.ready(0, 10).map(({ seq }) => seq)).toEqual([1, 2])
    expect(createAppliedStore(journal).load()).toEqual([])
    journal.close()
  })

  test('whose migration fails stays unchanged and is closed', () => {
    const folder = temporaryFolder()
    const earlier = new DatabaseSync(join(folder, 'journal.db'))
    earlier.exec('CREATE TABLE technical_system (id TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT')
    earlier.exec('CREATE TABLE report (in_the_way TEXT); PRAGMA user_version = 1')
    earlier.close()
    expect(() => openJournal(folder)).toThrow('table report already exists')

    const after = new DatabaseSync(join(folder, 'journal.db'))
    const tables = after.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
    expect(tables.map(({ name }) => name)).toEqual(['report', 'technical_system'])
    expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 })
    after.exec('DROP TABLE report')
    after.close()
    openJournal(folder).close()
  })

  test.runIf(canListOpenFiles)('that cannot be used leaves no file open', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'journal.db'), 'not a database at all, though long enough to look like one')
    expect(() => openJournal(folder)).toThrow('not a database')
    expect(openFilesIn(folder)).toEqual([])
  })

  test('keeps its log smaller than the disk reserve, however much is written', () => {
    const folder = temporaryFolder()
    const journal = openJournal(folder)
    const store = createTechnicalSystemStore(journal)
    for (let n = 0; n < 500; n += 1)
      store.save(immediateChange, { ...aSystem(`ts_${n}`, []), name: 'x'.repeat(10_000) })
    expect(statSync(join(folder, 'journal.db-wal')).size).toBeLessThan(RESERVE_BYTES)
    journal.close()
  })
})
