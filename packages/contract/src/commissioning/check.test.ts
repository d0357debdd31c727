import { describe, expect, test } from 'vitest'
import { allFileProblems } from './check.ts'

const point = (name: unknown, about: object = {}) => ({ name, accessType: 'READ_WRITE', data: {}, ...about })
const file = (datapoints: unknown[], about: object = {}) => ({
  technicalSystem: 'Room',
  connections: [{ name: 'Inverter', protocol: 'mqtt', settings: {}, datapoints }],
  ...about,
})
const found = (document: unknown) => allFileProblems(document).map(({ path, message }) => `${path}: ${message}`)

describe('all problems of a file', () => {
  test('are none when the service accepts it', () => {
    expect(found(file([point('Power')]))).toEqual([])
  })

  test('are those of its shape and of what it says, together', () => {
    const slots = [{ days: [], from: '7:00', to: '18:00', value: 5 }]
    const document = file([point('Power'), point('Power'), point('Valve', { colour: 'red' })], {
      schedules: [
        { name: 'Day', datapoint: 'Gird', slots },
        { name: 'Night', datapoint: 'Valve', slots: 'none' },
      ],
    })
    expect(found(document)).toEqual([
      'connections[0].datapoints[2].colour: is not a known field',
      'schedules[1].slots: must be of type array',
      'connections[0].datapoints[1].name: "Power" is already the name of connections[0].datapoints[0]',
      'schedules[0].datapoint: this file has no datapoint "Gird"',
      'schedules[0].slots[0].days: needs a day',
      'schedules[0].slots[0].from: "7:00" is not a time of day: write HH:MM, for example 07:00',
    ])
  })

  test.each([
    ['text', 'x'],
    ['nothing', null],
    ['a list', []],
    ['an empty object', {}],
    ['wrong types', { technicalSystem: 1, connections: { a: 1 }, peakShaving: null, schedules: 'x' }],
    ['lists of the wrong things', { technicalSystem: 'x', connections: [null, 1, { datapoints: [null, 2] }] }],
    ['half a peak shaving', file([point('Power')], { peakShaving: { meter: 'Power' } })],
    ['names of objects', file([point('__proto__'), point('constructor', { toString: 1 })])],
  ])('are found without failing in %s', (_what, document) => {
    expect(allFileProblems(document).length).toBeGreaterThan(0)
  })

  test('are at most 200', () => {
    expect(allFileProblems({ technicalSystem: 'x', connections: Array.from({ length: 1000 }, () => 0) })).toHaveLength(
      200,
    )
  })
})
