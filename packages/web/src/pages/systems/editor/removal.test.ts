import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { expect, test } from 'vitest'
import { putBack, type Removal, without } from './removal.ts'

const point = (name: string) => ({ name, accessType: 'READ' as const, data: { register: 1 } })
const bus = (name: string, ...points: string[]) => ({
  ...{ name, protocol: 'modbus-tcp' as const, settings: { host: '10.0.0.5' } },
  datapoints: points.map(point),
})
const file = (...connections: CommissioningFile['connections']): CommissioningFile => ({
  technicalSystem: 'Room',
  connections,
})
const whole = file(bus('A', 'a1', 'a2', 'a3'), bus('B', 'b1'))

test.each<[string, Removal, CommissioningFile]>([
  ['a connection', { at: 0, connection: bus('A', 'a1', 'a2', 'a3') }, file(bus('B', 'b1'))],
  [
    'a datapoint',
    { at: 0, connection: bus('A', 'a1', 'a2', 'a3'), datapoint: { place: 1, removed: point('a2') } },
    file(bus('A', 'a1', 'a3'), bus('B', 'b1')),
  ],
])('%s is removed, and put back where it was', (_what, removal, rest) => {
  expect(without(whole, removal)).toEqual(rest)
  expect(putBack(rest, removal)).toEqual(whole)
})

test('what was changed since stays', () => {
  const removal = { at: 0, connection: bus('A', 'a1'), datapoint: { place: 0, removed: point('a1') } }
  const changed = { ...file(bus('B', 'b1'), bus('A', 'new')), technicalSystem: 'Hall' }
  const back = { ...file(bus('B', 'b1'), bus('A', 'a1', 'new')), technicalSystem: 'Hall' }
  expect(putBack(changed, removal)).toEqual(back)
  expect(putBack(file(bus('B')), removal)).toBeUndefined()
})
