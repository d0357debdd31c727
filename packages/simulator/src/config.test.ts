import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('nothing need be set', () => {
  expect(readConfig({})).toEqual({ host: '127.0.0.1', modbusPort: 15_020, seed: 1, logLevel: 'info' })
})

test('everything can be set', () => {
  expect(
    readConfig({
      PLANTROOM_HOST: '0.0.0.0',
      PLANTROOM_SIMULATOR_MODBUS_PORT: '0',
      PLANTROOM_SIMULATOR_SEED: '42',
      PLANTROOM_LOG_LEVEL: 'debug',
    }),
  ).toEqual({ host: '0.0.0.0', modbusPort: 0, seed: 42, logLevel: 'debug' })
})

test('all mistakes are told at once, in one line', () => {
  expect(() =>
    readConfig({
      PLANTROOM_HOST: 'my host',
      PLANTROOM_SIMULATOR_MODBUS_PORT: '65536',
      PLANTROOM_SIMULATOR_SEED: '-1',
      PLANTROOM_LOG_LEVEL: 'loud',
    }),
  ).toThrow(
    'Bad configuration: PLANTROOM_HOST: my host is not a host; ' +
      'PLANTROOM_SIMULATOR_MODBUS_PORT: 65536 is not a whole number from 0 to 65535; ' +
      'PLANTROOM_SIMULATOR_SEED: -1 is not a whole number from 0 to 4294967295; ' +
      'PLANTROOM_LOG_LEVEL: loud is not one of: trace, debug, info, warn, error, fatal, silent',
  )
})
