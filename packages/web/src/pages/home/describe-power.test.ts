import { expect, test } from 'vitest'
import { describePower } from './describe-power.ts'

test.each([
  [68.349, 'kW', '68.3 kW'],
  [3911.26, 'kW', '3,911 kW'],
  [-250.5, 'kW', '-250 kW'],
  [-0.01, 'kW', '0 kW'],
  [7, null, '7'],
])('%d %s is %j', (value, unit, shown) => {
  expect(describePower(value, unit)).toBe(shown)
})
