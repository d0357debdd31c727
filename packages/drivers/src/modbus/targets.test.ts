import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import { expect, test } from 'vitest'
import { createModbusProtocol } from './driver.ts'

const protocol = createModbusProtocol({ clock: createManualClock() })

function target(data: Record<string, unknown>) {
  const power = aDatapoint({ id: 'power', accessType: 'READ_WRITE', data: { register: 1, type: 'int16', ...data } })
  const connection = aConnection({ settings: { host: '10.0.0.5' }, datapoints: [power] })
  expect(protocol.check(connection)).toEqual([])
  return protocol.targets(connection)[0] ?? expect.fail('no target')
}

test('a register is the same with another function code, and its value means the same', () => {
  const [single, multiple] = [target({ writeFunction: 6 }), target({ writeFunction: 16 })]
  expect(multiple.identity).not.toBe(single.identity)
  expect(multiple).toMatchObject({ space: single.space, start: single.start, meaning: single.meaning })
})

test('a coil means something else than a register', () => {
  expect(target({ table: 'coil', type: 'bool' }).meaning).not.toBe(target({ type: 'bool' }).meaning)
})
