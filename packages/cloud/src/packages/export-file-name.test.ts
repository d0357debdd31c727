import { flawOfPackageName } from '@plantroom/fpl/package-name'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportFileName } from './export-file-name.ts'

const AT = Date.UTC(2026, 4, 1, 23, 59)

test.each([
  ['Õunaaia 3', 'Õunaaia 3 2026-05-01.fpl'],
  ['Õunaaia'.normalize('NFD'), 'Õunaaia 2026-05-01.fpl'],
  ['Main / East: "A" \\ ..', 'Main East A 2026-05-01.fpl'],
  ['../../etc/passwd', 'etc passwd 2026-05-01.fpl'],
  ['Дом', 'site 2026-05-01.fpl'],
  ['', 'site 2026-05-01.fpl'],
  ['x'.repeat(255), `${'x'.repeat(100)} 2026-05-01.fpl`],
])('the package of %j is called %j', (site, name) => {
  expect(exportFileName(site, AT)).toBe(name)
})

test('whatever a site is called, its package could be uploaded under the name that it gets', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (site) => {
      expect(flawOfPackageName(exportFileName(site, AT))).toBeUndefined()
    }),
  )
})
