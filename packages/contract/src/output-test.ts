import { boolean, described, integer, nullable, number, object, type Static, text } from './schema.ts'

/** How long an output may be tested. Shorter ones end before a meter shows anything. */
export const MIN_TEST_SECONDS = 5
export const MAX_TEST_SECONDS = 60

/** What was read in one part of a test, in engineering units. */
export const TestReadings = object({
  value: described(nullable(number()), 'The last reading of the datapoint; null when there was none'),
  meter: described(nullable(number()), 'The mean of the readings of the meter; null when there were none'),
  spread: number({ description: 'The highest reading of the meter less its lowest' }),
  readings: integer({ description: 'How many readings of the meter there were' }),
})
export interface TestReadings extends Static<typeof TestReadings> {}

/** What a controller read before, during and after a test of one output. */
export const OutputTestResult = object({
  meterId: described(nullable(text()), 'The meter that was read with it; null without one'),
  taken: boolean({ description: 'A reading showed the value that was tested' }),
  before: TestReadings,
  /** Of the meter, the second half: it needs time to follow. */
  held: TestReadings,
  /** `null` when another writer took the datapoint over. */
  after: nullable(TestReadings),
})
export interface OutputTestResult extends Static<typeof OutputTestResult> {}
