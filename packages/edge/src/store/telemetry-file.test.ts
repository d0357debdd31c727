import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTelemetryFile } from './telemetry-file.ts'

const NOW = Date.UTC(2030, 0, 1)
const ASIDE = 'telemetry.db.broken-2030-01-01T00-00-00.000Z'
const NONSENSE = 'not a database at all, though long enough to look like one'

function fileIn(folder: string, now = NOW) {
  const clock = createManualClock(now)
  const logged: { msg: string; error: string; aside?: string }[] = []
  const log = createLog('edge', 'info', { write: (line) => void logged.push(JSON.parse(line)) })
  const file = createTelemetryFile({ folder, clock, log })
  onTestFinished(() => file.close())
  return { file, clock, logged, said: () => logged.splice(0).map(({ msg, error }) => `${msg}: ${error}`) }
}

function gaps(db: DatabaseSync | undefined) {
  return db?.prepare('SELECT dropped FROM gap').all()
}

describe('the file of measurements', () => {
  test('is created with its folder, not flushed at every commit, and exclusive to one process', () => {
    const db = fileIn(join(temporaryFolder(), 'data/edge')).file.open()
    const pragma = (name: string) => Object.values(db?.prepare(`PRAGMA ${name}`).get() ?? {})[0]
    const NORMAL = 1
    expect(pragma('journal_mode')).toBe('wal')
    expect(pragma('synchronous')).toBe(NORMAL)
    expect(pragma('locking_mode')).toBe('exclusive')
  })

  test('is opened once, and keeps its contents when reopened', () => {
    const folder = temporaryFolder()
    const { file } = fileIn(folder)
    file.open()?.exec('INSERT INTO gap VALUES (1, 2, 3, 4)')
    expect(file.open()).toBe(file.open())
    file.close()
    const again = fileIn(folder)
    expect(gaps(again.file.open())).toEqual([{ dropped: 4 }])
    expect(again.logged).toEqual([])
  })

  test('stays closed once it is closed', async () => {
    const { file, clock } = fileIn(temporaryFolder())
    file.open()
    file.close()
    await clock.advance(3_600_000)
    expect(file.open()).toBeUndefined()
  })
})

describe('a file that cannot be used', () => {
  test('because it is not a database is moved aside for a new one, which is logged', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'telemetry.db'), NONSENSE)
    const { file, logged } = fileIn(folder)
    expect(gaps(file.open())).toEqual([])
    expect(readFileSync(join(folder, ASIDE), 'utf8')).toBe(NONSENSE)
    expect(logged).toMatchObject([{ aside: ASIDE, error: 'file is not a database' }])
  })

  test('because it is a folder is moved aside too', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'telemetry.db/inside'), { recursive: true })
    expect(gaps(fileIn(folder).file.open())).toEqual([])
    expect(existsSync(join(folder, ASIDE, 'inside'))).toBe(true)
  })

  test('because a newer version wrote it is moved aside intact', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'telemetry.db')
    const newer = new DatabaseSync(path)
    newer.exec('PRAGMA user_version = 99; CREATE TABLE of_the_future (id TEXT)')
    newer.close()
    const { file, said } = fileIn(folder)
    expect(gaps(file.open())).toEqual([])
    expect(said()).toEqual([expect.stringContaining('newer version (99, this one knows 2)')])
    const aside = new DatabaseSync(join(folder, ASIDE))
    expect(aside.prepare('SELECT count(*) AS rows FROM of_the_future').get()).toEqual({ rows: 0 })
    aside.close()
  })

  test('is moved aside with its log, which may contain the latest writes', () => {
    const folder = temporaryFolder()
    // SQLite removes the log of a file that it can open, however corrupt.
    mkdirSync(join(folder, 'telemetry.db'))
    writeFileSync(join(folder, 'telemetry.db-wal'), 'the log')
    expect(gaps(fileIn(folder).file.open())).toEqual([])
    expect(readFileSync(join(folder, `${ASIDE}-wal`), 'utf8')).toBe('the log')
  })

  test('is kept until the next one breaks, so that broken files do not pile up', () => {
    const folder = temporaryFolder()
    for (let time = 0; time < 5; time += 1) {
      writeFileSync(join(folder, 'telemetry.db'), `${NONSENSE} ${time}`)
      const { file } = fileIn(folder, NOW + time * 1000)
      file.open()
      file.close()
    }
    const kept = readdirSync(folder).filter((name) => name.includes('broken'))
    expect(kept).toEqual(['telemetry.db.broken-2030-01-01T00-00-04.000Z'])
  })

  test('is kept while a new one cannot be created', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, ASIDE), NONSENSE)
    mkdirSync(join(folder, 'telemetry.db-wal/inside'), { recursive: true })
    const { file, clock } = fileIn(folder, NOW + 1000)
    for (let minute = 0; minute < 3; minute += 1) {
      expect(file.open()).toBeUndefined()
      await clock.advance(60_000)
    }
    expect(readdirSync(folder).sort()).toEqual(['telemetry.db-wal', ASIDE])
  })

  test('because its folder cannot be created is retried every minute', async () => {
    const parent = join(temporaryFolder(), 'file')
    writeFileSync(parent, '')
    const { file, clock, said } = fileIn(join(parent, 'edge'))
    expect(file.open()).toBeUndefined()
    expect(said()).toEqual([expect.stringContaining('no measurements are archived: ENOTDIR')])
    rmSync(parent)
    await clock.advance(59_999)
    expect(file.open()).toBeUndefined()
    await clock.advance(1)
    expect(gaps(file.open())).toEqual([])
  })

  test('is logged once, not every minute', async () => {
    const parent = join(temporaryFolder(), 'file')
    writeFileSync(parent, '')
    const { file, clock, said } = fileIn(join(parent, 'edge'))
    for (let minute = 0; minute < 10; minute += 1) {
      file.open()
      await clock.advance(60_000)
    }
    expect(said()).toHaveLength(1)
  })

  test('because another process uses it stays in place and is used once it is free', async () => {
    const folder = temporaryFolder()
    const other = fileIn(folder).file
    other.open()?.exec('INSERT INTO gap VALUES (1, 2, 3, 4)')
    const { file, clock, said } = fileIn(folder)
    expect(file.open()).toBeUndefined()
    expect(said()).toEqual(['no measurements are archived: database is locked'])
    other.close()
    await clock.advance(60_000)
    expect(gaps(file.open())).toEqual([{ dropped: 4 }])
    expect(readdirSync(folder).filter((name) => name.includes('broken'))).toEqual([])
  })
})

describe('an operation that failed', () => {
  const failure = (errcode: number) => Object.assign(new Error('of SQLite'), { code: 'ERR_SQLITE_ERROR', errcode })
  const CORRUPT_INDEX = 779
  const FULL = 13

  test('on a corrupt file moves it aside and starts a new one', () => {
    const folder = temporaryFolder()
    const { file } = fileIn(folder)
    file.open()?.exec('INSERT INTO gap VALUES (1, 2, 3, 4)')
    expect(file.recovers(failure(CORRUPT_INDEX))).toBe(true)
    expect(gaps(file.open())).toEqual([])
    const aside = new DatabaseSync(join(folder, ASIDE))
    expect(gaps(aside)).toEqual([{ dropped: 4 }])
    aside.close()
  })

  test('for lack of space empties the log into the file', () => {
    const folder = temporaryFolder()
    const { file } = fileIn(folder)
    file.open()?.exec('INSERT INTO gap VALUES (1, 2, 3, 4)')
    expect(file.recovers(failure(FULL))).toBe(true)
    const without = join(temporaryFolder(), 'telemetry.db')
    copyFileSync(join(folder, 'telemetry.db'), without)
    const db = new DatabaseSync(without)
    expect(gaps(db)).toEqual([{ dropped: 4 }])
    db.close()
  })

  test.each([failure(FULL), new Error('another')])('leaves the file unchanged when it is not corrupt', (error) => {
    const { file } = fileIn(temporaryFolder())
    const db = file.open()
    file.recovers(error)
    expect(file.open()).toBe(db)
  })

  test('for an unrecoverable reason is not retried', () => {
    const { file } = fileIn(temporaryFolder())
    expect(file.recovers(failure(FULL))).toBe(false)
    file.open()
    expect(file.recovers(new Error('another'))).toBe(false)
  })

  test('on a file that cannot be moved aside disables it, which is logged', () => {
    const folder = join(temporaryFolder(), 'edge')
    const { file, said } = fileIn(folder)
    file.open()
    rmSync(folder, { recursive: true })
    expect(file.recovers(failure(CORRUPT_INDEX))).toBe(false)
    expect(file.open()).toBeUndefined()
    expect(said().at(-1)).toContain('no measurements are archived: ENOENT')
  })
})
