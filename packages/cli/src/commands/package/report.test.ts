import type { PackageReport } from '@plantroom/fpl/check-package'
import { describe, expect, test } from 'vitest'
import { csvLines, describeReport, reportAsJson } from './report.ts'

const VALID: PackageReport = {
  valid: true,
  message: null,
  problems: [],
  problemCount: 0,
  tickets: 1200,
  comments: 1,
  attachments: 0,
}
const REFUSED: PackageReport = { ...VALID, valid: false, message: 'No manifest.json found in the package', tickets: 0 }

const blank = (index: number) => {
  const path = `tickets[${index}].title`
  return { path, value: null, rule: 'must not be blank', message: `${path}: must not be blank` }
}

function invalid(listed: number, all = listed): PackageReport {
  const problems = Array.from({ length: listed }, (_, index) => blank(index))
  return { ...VALID, valid: false, message: 'Invalid manifest: …', problems, problemCount: all }
}

describe('what a person reads', () => {
  test('of a valid package is what is in it', () => {
    expect(describeReport('site.fpl', VALID)).toBe('site.fpl: valid, 1,200 requests, 1 comment, 0 attachments')
  })

  test('of one that was refused is why', () => {
    expect(describeReport('site.fpl', REFUSED)).toBe('site.fpl: No manifest.json found in the package')
  })

  test('of a manifest that is no JSON is the message, and where it is wrong', () => {
    const place = {
      path: 'manifest',
      value: null,
      rule: 'unexpected ] at byte 7',
      message: 'manifest: unexpected ] at byte 7',
    }
    const report = { ...REFUSED, message: 'manifest.json is not valid JSON', problems: [place], problemCount: 1 }
    expect(describeReport('site.fpl', report)).toBe(
      'site.fpl: manifest.json is not valid JSON\n  manifest: unexpected ] at byte 7',
    )
    expect(reportAsJson('site.fpl', report)).toMatchObject({
      message: 'manifest.json is not valid JSON',
      problems: [{ path: 'manifest', value: null, rule: 'unexpected ] at byte 7' }],
    })
  })

  test.each([
    [invalid(1), '1 problem'],
    [invalid(20), '20 problems'],
    [invalid(21), '21 problems, the first 20 above; --csv FILE or --json gives all'],
    [invalid(10_000, 1_000_000), '1,000,000 problems, the first 20 above; --csv FILE or --json gives the first 10,000'],
  ])('of one with mistakes is the message, how many there are, and how to see them', (report, line) => {
    expect(describeReport('site.fpl', report)).toBe(`site.fpl: Invalid manifest: …\n  ${line}`)
  })

  test.each([
    [invalid(1), '1 problem, all in problems.csv'],
    [invalid(10_000, 10_001), '10,001 problems, the first 10,000 in problems.csv'],
  ])('says where they were written to', (report, line) => {
    expect(describeReport('site.fpl', report, 'problems.csv')).toBe(`site.fpl: Invalid manifest: …\n  ${line}`)
  })

  test('holds nothing of a name that a terminal would obey', () => {
    expect(describeReport('a\u001B[2J\n\u202Eb.fpl', REFUSED)).toMatch(/^a\\u001b\[2J\\n\\u202eb\.fpl: No/)
  })
})

test('a program reads just the fields that are promised, in their order', () => {
  const line = JSON.stringify(reportAsJson('site.fpl', invalid(1)))
  expect(line).toBe(
    '{"file":"site.fpl","valid":false,"message":"Invalid manifest: …",' +
      '"problems":[{"path":"tickets[0].title","value":null,"rule":"must not be blank"}],' +
      '"tickets":1200,"comments":1,"attachments":0}',
  )
})

describe('the lines of CSV', () => {
  test('are none of a valid package', () => {
    expect(csvLines('site.fpl', VALID)).toBe('')
  })

  test('are one a problem', () => {
    expect(csvLines('site.fpl', invalid(2))).toBe(
      'site.fpl,tickets[0].title,,must not be blank\r\nsite.fpl,tickets[1].title,,must not be blank\r\n',
    )
  })

  test('are the message of a package that was refused', () => {
    expect(csvLines('site.fpl', REFUSED)).toBe('site.fpl,,,No manifest.json found in the package\r\n')
  })
})
