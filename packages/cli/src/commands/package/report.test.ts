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

describe('the description of a package', () => {
  test('lists the contents of a valid one', () => {
    expect(describeReport('site.fpl', VALID)).toBe('site.fpl: valid, 1,200 requests, 1 comment, 0 attachments')
  })

  test('gives the reason why it was rejected', () => {
    expect(describeReport('site.fpl', REFUSED)).toBe('site.fpl: No manifest.json found in the package')
  })

  test('has the message and the position of a JSON syntax error', () => {
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
    [invalid(21), '21 problems, the first 20 above; use --csv FILE or --json to get all'],
    [
      invalid(10_000, 1_000_000),
      '1,000,000 problems, the first 20 above; use --csv FILE or --json to get the first 10,000',
    ],
  ])('has the message, the number of problems and the way to see them', (report, line) => {
    expect(describeReport('site.fpl', report)).toBe(`site.fpl: Invalid manifest: …\n  ${line}`)
  })

  test.each([
    [invalid(1), '1 problem, all in problems.csv'],
    [invalid(10_000, 10_001), '10,001 problems, the first 10,000 in problems.csv'],
  ])('says where the problems were written', (report, line) => {
    expect(describeReport('site.fpl', report, 'problems.csv')).toBe(`site.fpl: Invalid manifest: …\n  ${line}`)
  })

  test('escapes control characters in the file name', () => {
    expect(describeReport('a\u001B[2J\n\u202Eb.fpl', REFUSED)).toMatch(/^a\\u001b\[2J\\n\\u202eb\.fpl: No/)
  })
})

test('--json prints exactly the documented fields in their order', () => {
  const line = JSON.stringify(reportAsJson('site.fpl', invalid(1)))
  expect(line).toBe(
    '{"file":"site.fpl","valid":false,"message":"Invalid manifest: …",' +
      '"problems":[{"path":"tickets[0].title","value":null,"rule":"must not be blank"}],' +
      '"tickets":1200,"comments":1,"attachments":0}',
  )
})

describe('the CSV lines', () => {
  test('of a valid package are empty', () => {
    expect(csvLines('site.fpl', VALID)).toBe('')
  })

  test('have one line per problem', () => {
    expect(csvLines('site.fpl', invalid(2))).toBe(
      'site.fpl,tickets[0].title,,must not be blank\r\nsite.fpl,tickets[1].title,,must not be blank\r\n',
    )
  })

  test('have the message of a package rejected as a whole', () => {
    expect(csvLines('site.fpl', REFUSED)).toBe('site.fpl,,,No manifest.json found in the package\r\n')
  })
})
