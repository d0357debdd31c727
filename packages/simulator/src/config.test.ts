import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('has a default for every setting', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    modbusPort: undefined,
    mqttPort: undefined,
    obixPort: undefined,
    obixLogin: undefined,
    seed: 1,
    faults: { modbus: {}, mqtt: {}, obix: {}, meter: {}, battery: {} },
    logLevel: 'info',
    logStyle: { format: 'auto', colours: true },
  })
})

test('reads every setting', () => {
  expect(
    readConfig({
      PLANTROOM_HOST: '0.0.0.0',
      PLANTROOM_SIMULATOR_MODBUS_PORT: '0',
      PLANTROOM_SIMULATOR_MQTT_PORT: '1885',
      PLANTROOM_SIMULATOR_OBIX_PORT: '65535',
      PLANTROOM_SIMULATOR_OBIX_LOGIN: 'ahu:with:colons',
      PLANTROOM_SIMULATOR_SEED: '42',
      PLANTROOM_SIMULATOR_FAULTS: 'modbus:ignore-writes, obix:lease=1,',
      PLANTROOM_LOG_LEVEL: 'debug',
    }),
  ).toEqual({
    host: '0.0.0.0',
    modbusPort: 0,
    mqttPort: 1885,
    obixPort: 65_535,
    obixLogin: 'ahu:with:colons',
    seed: 42,
    faults: { modbus: { 'ignore-writes': 1 }, mqtt: {}, obix: { lease: 1 }, meter: {}, battery: {} },
    logLevel: 'debug',
    logStyle: { format: 'auto', colours: true },
  })
})

test('lists all errors in one line', () => {
  expect(() =>
    readConfig({
      PLANTROOM_HOST: 'my host',
      PLANTROOM_SIMULATOR_MODBUS_PORT: '65536',
      PLANTROOM_SIMULATOR_MQTT_PORT: '1e3',
      PLANTROOM_SIMULATOR_OBIX_PORT: '-1',
      PLANTROOM_SIMULATOR_OBIX_LOGIN: 'hunter2',
      PLANTROOM_SIMULATOR_SEED: '-1',
      PLANTROOM_SIMULATOR_FAULTS: 'modbus:late',
      PLANTROOM_LOG_LEVEL: 'loud',
    }),
  ).toThrow(
    'Bad configuration: PLANTROOM_HOST: my host is not a host; ' +
      'PLANTROOM_SIMULATOR_MODBUS_PORT: 65536 is not a whole number from 0 to 65535; ' +
      'PLANTROOM_SIMULATOR_MQTT_PORT: 1e3 is not a whole number from 0 to 65535; ' +
      'PLANTROOM_SIMULATOR_OBIX_PORT: -1 is not a whole number from 0 to 65535; ' +
      'PLANTROOM_SIMULATOR_OBIX_LOGIN: is not user:password; ' +
      'PLANTROOM_SIMULATOR_SEED: -1 is not a whole number from 0 to 4294967295; ' +
      'PLANTROOM_SIMULATOR_FAULTS: modbus:late needs a whole number from 1 to 600000: modbus:late=1; ' +
      'PLANTROOM_LOG_LEVEL: loud is not one of: trace, debug, info, warn, error, fatal, silent',
  )
})
