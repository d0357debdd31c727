import { expect, test } from 'vitest'
import { mistakesIn } from './mistakes.ts'

test('a message with several mistakes is a list of them', () => {
  expect(
    mistakesIn(
      'connections[0].datapoints[2].scaler: needs two different inputs; or none; peakShaving.meter: "X" is no datapoint; connections[1].settings.host: must be text',
    ),
  ).toEqual([
    { path: 'connections[0].datapoints[2].scaler', message: 'needs two different inputs; or none' },
    { path: 'peakShaving.meter', message: '"X" is no datapoint' },
    { path: 'connections[1].settings.host', message: 'must be text' },
  ])
})

test('one of the shape has its path without a colon', () => {
  expect(mistakesIn('connections[0].protocol must be one of: modbus-tcp, mqtt')).toEqual([
    { path: 'connections[0].protocol', message: 'must be one of: modbus-tcp, mqtt' },
  ])
})

test('a sentence is a sentence', () => {
  const message = 'Charge power would no longer be there to be written, but is held; cancel its overrides first'
  expect(mistakesIn(message)).toEqual([{ path: '', message }])
})
