import { IDENTITY_SCALER } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { outsideEnvelope } from './envelope.ts'

const TENTHS = { inputValue1: 0, outputValue1: 0, inputValue2: 100, outputValue2: 1000 }
const POWER = { name: 'Charge power', writeInputData: { min: -50, max: 50 }, scaler: TENTHS }

describe('a value', () => {
  test.each([-50, -20, 0, 49.9, 50])('of %d is within its envelope, whose ends belong to it', (value) => {
    expect(outsideEnvelope(POWER, value)).toBeUndefined()
  })

  test.each([-50.1, 50.000001, 1e300, -1e300])('of %d is outside', (value) => {
    expect(outsideEnvelope(POWER, value)).toContain(`${value} is outside -50 to 50, the envelope of Charge power`)
  })

  test('outside is told in one line, with what the equipment would get and how to pass it', () => {
    expect(outsideEnvelope(POWER, -80.1)).toBe(
      '-80.1 is outside -50 to 50, the envelope of Charge power: the equipment would be sent -80.1 (raw -801), nothing clamps it; --force passes it',
    )
  })

  test('that is not scaled is not told twice', () => {
    expect(outsideEnvelope({ ...POWER, scaler: IDENTITY_SCALER }, 80)).toContain('would be sent 80, nothing clamps it')
  })

  test('of a scaler that is no line is told without the raw value', () => {
    const point = { ...POWER, scaler: { ...TENTHS, inputValue2: 0 } }
    expect(outsideEnvelope(point, 80)).toContain('would be sent 80, nothing clamps it')
  })

  test('is not judged where no envelope is known', () => {
    expect(outsideEnvelope({ name: 'Grid power', scaler: TENTHS }, 1e9)).toBeUndefined()
  })
})
