import { COMMAND_NAMES } from '@plantroom/contract/commands'
import { describe, expect, test } from 'vitest'
import { readRequest } from './read-request.ts'

describe('the data of a command', () => {
  test.each(COMMAND_NAMES)('of %s must be an object', (name) => {
    for (const data of [undefined, null, 'text', []]) {
      expect(() => readRequest(name, data)).toThrow('data must be of type object')
    }
  })

  test('is rejected with the field and its rule', () => {
    const connection = { id: 'c', name: 'c', protocol: 'modbus-tcp', settings: {}, datapoints: [{}] }
    const technicalSystem = { id: 's', name: 's', connections: [connection] }
    expect(() => readRequest('commission', { technicalSystem })).toThrow(
      'technicalSystem.connections[0].datapoints[0].id is missing',
    )
    expect(() => readRequest('closeHold', { datapointId: 'd', outcome: 'done', reason: 'x' })).toThrow(
      'outcome must be one of: restored-by-hand, abandoned',
    )
    expect(() => readRequest('getTechnicalDataPoints', { connectionId: 'c', limit: '7' })).toThrow(
      'limit must be of type integer',
    )
  })

  test('keeps fields that only a newer service knows', () => {
    const technicalSystem = { id: 's', name: 's', connections: [], cooling: { from: 'tomorrow' } }
    expect(readRequest('commission', { technicalSystem })).toEqual({ technicalSystem })
  })

  test.each([
    ['x'.repeat(300), 'x'.repeat(200)],
    [7, undefined],
    [null, undefined],
  ])('releases whatever its reason is: %j', (reason, read) => {
    expect(readRequest('demandResponseCancel', { id: 'ovr_1', reason }).reason).toBe(read)
  })
})
