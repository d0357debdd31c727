import { expect, test } from 'vitest'
import { isOwnName, packageNameAt } from './package-name.ts'

const RUN = { runId: 'run_0123456789abcdef', dueAt: new Date('2026-05-02T23:00:05.678Z') }

test.each([
  ['Õhtu Mäe 7', 'ohtu-mae-7'],
  ['--A!!B--', 'a-b'],
  ['Дом', 'site'],
  [`${'x'.repeat(39)} y`, 'x'.repeat(39)],
  ['x'.repeat(50), 'x'.repeat(40)],
])('the package of %s is named after it', (site, part) => {
  const name = packageNameAt(site, RUN)
  expect(name).toBe(`plantroom-${part}-20260502T230005Z-89abcdef.fpl`)
  expect(isOwnName(name, RUN.runId)).toBe(true)
})

test.each([
  'plantroom-a-20260502T230005Z-89abcdee.fpl',
  'plantroom-a-20260502T230005Z-89abcdef.zip',
  'other-20260502T230005Z-89abcdef.fpl',
  '../plantroom-a-20260502T230005Z-89abcdef.fpl',
  'notes.txt',
])('%s is not ours', (name) => {
  expect(isOwnName(name, RUN.runId)).toBe(false)
})
