import { describe, expect, test } from 'vitest'
import { REFERENCE } from '../registry.ts'
import { escaped, manPage } from './man-page.ts'

describe('the man page', () => {
  const page = manPage(REFERENCE)

  test('has every verb with its options', () => {
    for (const [name, { verbs }] of Object.entries(REFERENCE)) {
      expect(page).toContain(`.SS ${escaped(name)}\n`)
      for (const [verb, { options }] of Object.entries(verbs)) {
        expect(page).toContain(`.B plantroom ${escaped(`${name} ${verb}`.trimEnd())}`)
        for (const option of Object.keys(options)) expect(page).toContain(escaped(`--${option}`))
      }
    }
  })

  test('has no line that roff would take for a request by mistake', () => {
    const requests = page.split('\n').filter((line) => line.startsWith('.') || line.startsWith("'"))
    expect(requests.filter((line) => !/^\.(TH|SH|SS|TP|PP|RS|RE|EX|EE|B|I|RI)( |$)/.test(line))).toEqual([])
  })
})

test.each([
  ['.TH x', '\\&.TH x'],
  ["'quoted'", '\\(aqquoted\\(aq'],
  ['a\\b', 'a\\eb'],
  ['--json "x"', '\\-\\-json \\(dqx\\(dq'],
  ['two\n.SH lines', 'two .SH lines'],
])('%j is written as %j', (text, expected) => {
  expect(escaped(text)).toBe(expected)
})
