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

describe('the ports of the building, at the next start', () => {
  test('are where the connections looked for it', () => {
    expect(portSettings([MODBUS, MQTT, OBIX])).toEqual(ALL)
  })

  test('are those that are known of a demo that had Modbus alone, or nothing', () => {
    expect(portSettings([MODBUS])).toEqual({ PLANTROOM_SIMULATOR_MODBUS_PORT: '15020' })
    expect(portSettings([])).toEqual({})
  })

  test('are not those of equipment elsewhere that somebody has commissioned too, nor those of a second one', () => {
    const elsewhere = { protocol: 'mqtt', endpoint: 'mqtt://192.0.2.7:1883' } as const
    const second = { protocol: 'mqtt', endpoint: 'mqtt://127.0.0.1:1999' } as const
    expect(portSettings([elsewhere, MODBUS, MQTT, second, OBIX])).toEqual(ALL)
  })

  test.each(['', 'undefined', '127.0.0.1', 'mqtt://127.0.0.1', 'undefined:undefined'])(
    'are open where the endpoint tells none: %j',
    (endpoint) => {
      expect(portSettings([{ protocol: 'mqtt', endpoint }])).toEqual({})
    },
  )
})

describe('a port that is set', () => {
  test('is left as it is, also where it makes no sense', () => {
    const set = { PLANTROOM_SIMULATOR_MQTT_PORT: '1999', PLANTROOM_SIMULATOR_OBIX_PORT: 'eighty' }
    expect(withoutSet(ALL, set)).toEqual({ PLANTROOM_SIMULATOR_MODBUS_PORT: '15020' })
  })

  test('to 0, or to nothing, is any: that of the last start', () => {
    const set = { PLANTROOM_SIMULATOR_MODBUS_PORT: '0', PLANTROOM_SIMULATOR_MQTT_PORT: '' }
    expect(withoutSet(ALL, set)).toEqual(ALL)
  })
})
