import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { analyzeSource } from '../convert.ts'
import { csv } from '../sources/csv/index.ts'
import { problemsOf, writeTable } from '../testing/converted.ts'
import { readMappingFile, writeMappingFile } from './file.ts'

function fileOf(text: string): string {
  const path = join(temporaryFolder(), 'map.yaml')
  writeFileSync(path, text)
  return path
}

describe('a mapping file', () => {
  test('contains the mapping that was written', async () => {
    const rows = [
      ['ID', 'a: "b" #c', 'yes', 'Status', 'Prio.rity', '- x'],
      ['1', '\n# not a comment', 'y', 'null', 'none', 'z'],
    ]
    const analysis = await analyzeSource(csv, [writeTable(temporaryFolder(), rows)])
    const mapping = {
      ...analysis.mapping,
      states: { 'no: 1': 'closed' },
      priorities: { none: null },
      separator: ' | ',
    } as const
    const read = await readMappingFile(fileOf(writeMappingFile({ ...analysis, mapping })))
    expect(read).toEqual(mapping)
  })

  test('has unknown values and an unknown order of dates as comments', async () => {
    const rows = [
      ['ID', 'Status', 'Created'],
      ['1', 'Odd\nline', '1/2/2026'],
      ['2', 'Done', '1/2/2026'],
    ]
    const analysis = await analyzeSource(csv, [writeTable(temporaryFolder(), rows)])
    const text = writeMappingFile(analysis)
    expect(text).toContain('\n# dateOrder: dmy\n')
    expect(text).toContain('"Done": resolved  # 1 record\n')
    expect(text).toContain(': new  # unknown, 1 record\n')
    expect(await readMappingFile(fileOf(text))).toEqual(analysis.mapping)
  })

  test('names the line and the remedy of every mistake', async () => {
    const path = fileOf(
      [
        'timeZone: Europe/Nowhere',
        'dateOrder: ymd',
        'columns:',
        '  A.B: titel',
        '  C: [x]',
        'states: open',
        'colour: red',
        'otherState: new',
      ].join('\n'),
    )
    const problems = await problemsOf(readMappingFile(path))
    expect(problems.map((problem) => problem.replace(`${path} `, ''))).toEqual([
      expect.stringContaining('line 7: colour: is not part of a mapping; use '),
      expect.stringContaining('priorities: is missing; add it'),
      'line 1: timeZone: Europe/Nowhere is not a time zone; use a name such as Europe/Tallinn',
      'line 2: dateOrder: ymd is not allowed; use one of: dmy, mdy',
      expect.stringContaining('line 4: columns.A.B: titel is not allowed; use one of: externalId'),
      expect.stringContaining('line 5: columns.C: x is not allowed'),
      'line 6: states: must be a table; write one line "name: value" for each',
    ])
  })

  test('that is no YAML is refused', async () => {
    const [problem] = await problemsOf(readMappingFile(fileOf('a: [')))
    expect(problem).toContain('is neither JSON nor YAML')
    expect(await problemsOf(readMappingFile('/none.yaml'))).toEqual(['/none.yaml: cannot be read (ENOENT)'])
  })
})
