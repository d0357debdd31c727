import type { SourceAnalysis } from '@plantroom/contract/conversion'
import { expect, test } from 'vitest'
import { dateExample, dateSample } from './date-example.ts'

test.each([
  ['03/04/2026', 'dmy', /3\b.*April|April 3/],
  ['03/04/2026', 'mdy', /March 4|4\b.*March/],
  ['3.4.26 12:30', 'dmy', /April/],
  ['25/12/2026', 'mdy', undefined],
  ['31-02-2026', 'dmy', undefined],
  ['2026-04-03', 'dmy', undefined],
] as const)('%s as %s', (text, order, shown) => {
  const example = dateExample(text, order)
  if (shown === undefined) expect(example).toBeUndefined()
  else expect(example).toMatch(shown)
})

const analysis = (samples: Record<string, string[]>) =>
  ({
    columns: Object.entries(samples).map(([name, values]) => ({ name, filled: 1, samples: values })),
  }) as unknown as SourceAnalysis

test('the sample is a date of the export that can be read both ways, if there is one', () => {
  const dates = { Made: ['25/12/2026', '05/06/2026'], Other: ['01/02/2026'] }
  expect(dateSample(analysis(dates), { Made: 'createdAt', Other: 'title' })).toBe('05/06/2026')
  expect(dateSample(analysis({ Made: ['25/12/2026'] }), { Made: 'createdAt' })).toBe('25/12/2026')
  expect(dateSample(analysis({ Made: ['2026-12-25'] }), { Made: 'createdAt' })).toBe('03/04/2026')
})
