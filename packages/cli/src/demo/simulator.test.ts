import { describe, expect, test } from 'vitest'
import { portSettings, withoutSet } from './simulator.ts'

const MODBUS = { protocol: 'modbus-tcp', endpoint: '127.0.0.1:15020' } as const
const MQTT = { protocol: 'mqtt', endpoint: 'mqtt://127.0.0.1:1884' } as const
const OBIX = { protocol: 'obix', endpoint: 'http://127.0.0.1:8085/obix/' } as const
const ALL = {
  PLANTROOM_SIMULATOR_MODBUS_PORT: '15020',
  PLANTROOM_SIMULATOR_MQTT_PORT: '1884',
  PLANTROOM_SIMULATOR_OBIX_PORT: '8085',
}

describe('at the next start, the simulator ports', () => {
  test('are those of the saved connections', () => {
    expect(portSettings([MODBUS, MQTT, OBIX])).toEqual(ALL)
  })

  test('are the known ones of a demo that had only Modbus, or none', () => {
    expect(portSettings([MODBUS])).toEqual({ PLANTROOM_SIMULATOR_MODBUS_PORT: '15020' })
    expect(portSettings([])).toEqual({})
  })

  test('ignore equipment elsewhere and further connections of a protocol', () => {
    const elsewhere = { protocol: 'mqtt', endpoint: 'mqtt://192.0.2.7:1883' } as const
    const second = { protocol: 'mqtt', endpoint: 'mqtt://127.0.0.1:1999' } as const
    expect(portSettings([elsewhere, MODBUS, MQTT, second, OBIX])).toEqual(ALL)
  })

  test.each(['', 'undefined', '127.0.0.1', 'mqtt://127.0.0.1', 'undefined:undefined'])(
    'are free to choose if the endpoint has none: %j',
    (endpoint) => {
      expect(portSettings([{ protocol: 'mqtt', endpoint }])).toEqual({})
    },
  )
})

describe('a port from the environment', () => {
  test('is kept even if it is invalid', () => {
    const set = { PLANTROOM_SIMULATOR_MQTT_PORT: '1999', PLANTROOM_SIMULATOR_OBIX_PORT: 'eighty' }
    expect(withoutSet(ALL, set)).toEqual({ PLANTROOM_SIMULATOR_MODBUS_PORT: '15020' })
  })

  test('that is 0 or empty falls back to the previous port', () => {
    const set = { PLANTROOM_SIMULATOR_MODBUS_PORT: '0', PLANTROOM_SIMULATOR_MQTT_PORT: '' }
    expect(withoutSet(ALL, set)).toEqual(ALL)
  })
})
