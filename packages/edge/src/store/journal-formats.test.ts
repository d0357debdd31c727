import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { aPowerController, auditLines } from '../testing/power-controller.ts'
import { openJournal } from './journal.ts'

/**
 * Journals as released versions wrote them, named after their format. Each has `power` held at 20 for 600 s, which was
 * 10 before, an override of 30 queued from second 120 to 180, and one audit entry that the cloud has not confirmed.
 * Never change one. A new format gets a new file.
 */
const FORMATS = [6, 7] as const

const fixture = (format: number) => fileURLToPath(new URL(`testing/journal-${format}.db`, import.meta.url))

describe.each(FORMATS)('a journal of format %i', (format) => {
  test('resumes its override, starts the queued one, and restores the equipment on time', async () => {
    const device = await aPowerController({ journal: fixture(format), points: { power: 20 } })
    expect((await device.values()).power).toMatchObject({ lockedBy: 'demand-response' })
    expect(device.equipment.points.get('power')).toBe(20)
    await device.pass(120)
    expect(device.equipment.points.get('power')).toBe(30)
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(20)
    await device.pass(420)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toEqual([
      'applied (window) 10 > 20, reads 20',
      'applied (window) 20 > 30, reads 30',
      'released (ended) 20 > 20, reads 20',
      'released (ended) 10 > 10, reads 10',
    ])
    expect(device.reports.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })

  test('cancels an override by the id that the earlier version gave out', async () => {
    const raw = new DatabaseSync(fixture(format), { readOnly: true })
    const id = String(raw.prepare('SELECT id FROM override_window ORDER BY seq LIMIT 1').get()?.id)
    raw.close()
    const device = await aPowerController({ journal: fixture(format), points: { power: 20 } })
    await expect(device.cancel(`${id}x`)).rejects.toThrow('never issued')
    expect(await device.cancel(id, { keyId: 'key_2' })).toEqual({ success: true })
    expect(device.equipment.points.get('power')).toBe(10)
  })
})

test('the latest format has a fixture, unless it is newer than the last release', () => {
  const folder = temporaryFolder()
  const journal = openJournal(folder)
  const current = Number(journal.prepare('PRAGMA user_version').get()?.user_version)
  journal.close()
  expect(current - Math.max(...FORMATS)).toBeLessThanOrEqual(1)
})

test('an older version refuses the journal of a newer one, leaves it as it is, and says what to do', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'journal.db')
  copyFileSync(fixture(6), path)
  const newer = new DatabaseSync(path)
  newer.exec('PRAGMA user_version = 99')
  newer.close()
  expect(() => openJournal(folder)).toThrow(/newer version \(99, this one knows \d+\); update Plantroom/)
  const after = new DatabaseSync(path)
  expect(after.prepare('SELECT count(*) AS rows FROM override_window').get()).toEqual({ rows: 2 })
  after.close()
})
