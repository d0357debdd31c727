import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../steps.ts'
import { readImportGraph } from './import-graph.ts'
import { describeMutant, ringsFor, sourcesOf } from './run-mutation.ts'
import { createWorkCopy } from './work-copy.ts'

describe('a room', () => {
  test('consists of its sources, without tests and their helpers', () => {
    const files = sourcesOf('./packages/edge/src/overrides/')
    expect(files).toContain('packages/edge/src/overrides/timeline.ts')
    expect(files.filter((path) => /\.test\.|\/testing\//.test(path))).toEqual([])
  })

  test('may be one file', () => {
    expect(sourcesOf('packages/edge/src/overrides/timeline.ts')).toEqual(['packages/edge/src/overrides/timeline.ts'])
  })

  test('that does not exist, or has no sources, is wrong usage', () => {
    for (const room of ['packages/attic', 'docs']) {
      expect(() => sourcesOf(room)).toThrow(expect.objectContaining({ code: expect.stringMatching(/^ERR_PARSE_ARGS/) }))
    }
  })
})

test('the first ring of tests is the room, also other folders of it; the second one is all others, unless near', () => {
  const room = 'packages/convert/'
  const file = 'packages/convert/src/text/dates.ts'
  const [near = [], far = []] = ringsFor(file, readImportGraph(ROOT), { room, near: false })
  expect(near).toContain('packages/convert/src/text/dates.test.ts')
  expect(near).toContain('packages/convert/src/convert.test.ts')
  expect(near.filter((test) => !test.startsWith(room))).toEqual([])
  expect(far.length).toBeGreaterThan(0)
  expect(far.filter((test) => test.startsWith(room))).toEqual([])
  expect(ringsFor(file, readImportGraph(ROOT), { room, near: true })).toEqual([near])
})

test('a survivor is described in one line by its place and its change', () => {
  const mutant = { file: 'a.ts', line: 3, column: 7, start: 0, end: 9, before: 'send(\n  b\n)', after: ';' }
  expect(describeMutant(mutant)).toBe('a.ts:3:7 send( b ) → ;')
})

test('the copy of the checkout has its own sources, also where packages import each other', {
  timeout: 300_000,
}, () => {
  using copy = createWorkCopy(ROOT)
  const file = 'packages/contract/package.json'
  expect(readFileSync(join(copy.folder, file), 'utf8')).toBe(readFileSync(join(ROOT, file), 'utf8'))
  const linked = realpathSync(join(copy.folder, 'node_modules/@plantroom/contract'))
  expect(linked).toBe(join(realpathSync(copy.folder), 'packages/contract'))
  expect(existsSync(join(copy.folder, 'node_modules/vitest/package.json'))).toBe(true)
})
