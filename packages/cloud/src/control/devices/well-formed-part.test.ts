import { describe, expect, test } from 'vitest'
import { wellFormedPart } from './well-formed-part.ts'

const point = (name: string, about: object = {}) => ({ name, accessType: 'READ', data: {}, ...about })
const link = (name: unknown, ...datapoints: unknown[]) => ({ name, protocol: 'mqtt', settings: {}, datapoints })

describe('the part of a document that a device can judge', () => {
  test('is everything where the shape is right', () => {
    const connections = [link('A', point('One')), link('B')]
    expect(wellFormedPart({ technicalSystem: 'Room', connections, schedules: 'none' })).toMatchObject({
      file: { technicalSystem: 'Room', connections },
      isPartial: false,
    })
  })

  test('leaves out what is malformed, and translates paths back', () => {
    const connections = [7, link(3), link('C', point('One', { colour: 'red' }), point('Two'), null, point('Three'))]
    const part = wellFormedPart({ technicalSystem: 'Room', connections })
    expect(part?.isPartial).toBe(true)
    expect(part?.file.connections).toEqual([link('C', point('Two'), point('Three'))])
    expect(part?.inDocument('connections[0].settings.url')).toBe('connections[2].settings.url')
    expect(part?.inDocument('connections[0].datapoints[1].data')).toBe('connections[2].datapoints[3].data')
    expect(part?.inDocument('writes what connections[0].datapoints[0] writes')).toBe(
      'writes what connections[2].datapoints[1] writes',
    )
  })

  test.each([
    ['no connections', { technicalSystem: 'Room' }],
    ['no name', { connections: [link('A')] }],
    ['nothing that is well-formed', { technicalSystem: 'Room', connections: [1, link(2)] }],
  ])('is nothing in a document with %s', (_what, document) => {
    expect(wellFormedPart(document)).toBeUndefined()
  })
})
