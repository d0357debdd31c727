import { expect, test } from 'vitest'
import { changesOf } from './changes.ts'

const LOG = '# Changelog\n\n## Unreleased\n\n- new\n\n## 0.2.0 (2026-10-01)\n\n- second\n\n## 0.1.0\n\n- first\n'

test.each([
  ['0.2.0', '## 0.2.0 (2026-10-01)\n\n- second\n'],
  ['0.1.0', '## 0.1.0\n\n- first\n'],
  ['0.3.0', '## Unreleased\n\n- new\n'],
])('the changes of %s are its section, or what is not released yet', (version, changes) => {
  expect(changesOf(LOG, version)).toBe(changes)
})

test('a changelog without either is an error', () => {
  expect(() => changesOf('# Changelog\n', '0.1.0')).toThrow('CHANGELOG.md has no section 0.1.0')
})
