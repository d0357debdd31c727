import { expect, test } from 'vitest'
import { isSwitch } from './use-devices.ts'

test.each([
  [{ register: 0, table: 'coil' }, true],
  [{ register: 0, table: 'discrete', type: 'bool' }, true],
  [{ register: 203, type: 'uint16', bit: 1 }, true],
  [{ stateTopic: 'hp/switch', on: 'ON', off: 'OFF' }, true],
  [{ register: 100, type: 'int16' }, false],
  [{ stateTopic: 'hp/limit' }, false],
])('a datapoint at %j is a switch: %s', (data, expected) => {
  expect(isSwitch({ data })).toBe(expected)
  expect(isSwitch({ data, unit: 'kW' })).toBe(false)
})
