import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UNPLACED_CODES } from '@plantroom/contract/conversion-account'
import { NOTE_CODES, ZONE_ORIGINS } from '@plantroom/contract/conversion-notes'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { createAccount } from './account.ts'
import { describeZone, note } from './notes.ts'
import { describeUnplaced } from './unplaced-outcome.ts'

test('an account waits for its file as often as it is full, and leaves no listeners on it', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  await using account = createAccount(join(temporaryFolder(), 'account.csv'))
  for (let count = 0; count < 12; count += 1) {
    account.add(`row ${count}`, 'Colour', 'x'.repeat(100_000), { code: 'left-out' })
    await account.drained()
  }
  await account.commit()
  expect(warnings).toEqual([])
})

test('an account counts values by column and outcome, and is a file only when it is committed', async () => {
  const folder = temporaryFolder()
  const fill = (account: ReturnType<typeof createAccount>) => {
    for (const place of ['row 2', 'row 3']) account.add(place, 'Colour', 'red', { code: 'left-out' })
    account.add('row 3', 'Tone', 'odd', { code: 'notes-unfit', detail: 'tone' })
  }
  {
    await using lost = createAccount(join(folder, 'lost.csv'))
    fill(lost)
  }
  expect(readdirSync(folder)).toEqual([])
  await using account = createAccount(join(folder, 'account.csv'))
  fill(account)
  const unfit = 'part of the notes, because tone cannot hold it'
  expect(account.totals()).toEqual([
    { column: 'Colour', values: 2, became: 'left out', code: 'left-out' },
    { column: 'Tone', values: 1, became: unfit, code: 'notes-unfit', detail: 'tone' },
  ])
  await account.commit()
  expect(readdirSync(folder)).toEqual(['account.csv'])
  expect(readFileSync(join(folder, 'account.csv'), 'utf8').trim().split(/\r?\n/)).toEqual([
    'place,column,value,became',
    'row 2,Colour,red,left out',
    'row 3,Colour,red,left out',
    `row 3,Tone,odd,"${unfit}"`,
  ])
})

test('every outcome, note and origin of a time zone has words of its own', () => {
  const texts = [
    ...UNPLACED_CODES.map((code) => describeUnplaced({ code, detail: 'x' })),
    ...NOTE_CODES.map((code) => note(code, { subject: 'x', count: 1, values: ['x'], dayFirst: 1, monthFirst: 1 }).text),
    ...ZONE_ORIGINS.map(describeZone),
  ]
  expect(texts.filter((text) => text.trim() === '' || /undefined|[{}]/.test(text))).toEqual([])
  expect(new Set(texts).size).toBe(texts.length)
})
