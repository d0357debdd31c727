import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { describe, expect, test } from 'vitest'
import { draftOf, draftProblems, drivableDatapoints, fileOf, newSlot, withNewSchedule } from './draft.ts'

const FILE: CommissioningFile = {
  technicalSystem: 'Room',
  connections: [
    {
      name: 'Inverter',
      protocol: 'mqtt',
      settings: {},
      datapoints: [
        { name: 'Power', accessType: 'READ_WRITE', failsafe: { heartbeat: 'Beat', seconds: 5 }, data: {} },
        { name: 'Beat', accessType: 'WRITE', data: {} },
        { name: 'Valve', accessType: 'WRITE', data: {} },
        { name: 'Grid', accessType: 'READ', data: {} },
      ],
    },
  ],
  peakShaving: {
    meter: 'Grid',
    hourlyLimitsKw: Array.from({ length: 24 }, (_, hour) => hour),
    hysteresisKw: 5,
    loads: [{ datapoint: 'Valve', priority: 1, shedValue: 0, minOnSeconds: 60 }],
  },
  schedules: [
    {
      name: 'Day',
      datapoint: 'Power',
      slots: [{ days: ['mon'], from: '07:00', to: '18:00', mode: 'absolute', value: 5 }],
    },
  ],
}

describe('a draft', () => {
  test('that nobody edited gives the same file', () => {
    expect(fileOf(FILE, draftOf(FILE))).toEqual(FILE)
    const { schedules: _schedules, peakShaving: _peakShaving, ...plain } = FILE
    expect(fileOf(FILE, draftOf(plain))).toEqual(plain)
  })

  test('keeps what is not edited: it goes on top of what is commissioned now', () => {
    const draft = draftOf(FILE)
    const now = { ...FILE, connections: [{ ...FILE.connections[0], settings: { port: 1 } }] } as CommissioningFile
    expect(fileOf(now, draft)).toEqual(now)
  })

  test('has one limit, 24 or none', () => {
    const draft = draftOf(FILE)
    if (!draft.peakShaving) throw new Error('the file shaves peaks')
    const withLimit = (limit: 'one' | 'none') =>
      fileOf(FILE, { ...draft, peakShaving: { ...draft.peakShaving, limit, limitKw: 70 } as never }).peakShaving
    expect(withLimit('one')).toEqual({ ...FILE.peakShaving, hourlyLimitsKw: undefined, limitKw: 70 })
    expect(withLimit('none')).not.toHaveProperty('limitKw')
  })

  test('names its mistakes by the path of the field, by the rules of the service', () => {
    const draft = draftOf(FILE)
    const [day] = draft.schedules
    if (!day) throw new Error('the file has a schedule')
    const broken = { ...day, slots: [{ ...newSlot(), days: [], from: '7', to: '24:00' }] }
    expect(Object.fromEntries(draftProblems(fileOf(FILE, { ...draft, schedules: [broken] })))).toEqual({
      'schedules[0].slots[0].value': 'must be a finite number',
      'schedules[0].slots[0].days': 'needs a day',
      'schedules[0].slots[0].from': '"7" is not a time of day: write HH:MM, for example 07:00',
    })
    expect(draftProblems(FILE).size).toBe(0)
  })

  test('offers the datapoints that no schedule drives and that can be driven', () => {
    const draft = draftOf(FILE)
    expect(drivableDatapoints(FILE, draft)).toEqual(['Valve'])
    expect(drivableDatapoints(FILE, draft, draft.schedules[0]?.key)).toEqual(['Power', 'Valve'])
    const more = withNewSchedule(withNewSchedule(draft, 'Valve'), 'Valve')
    expect(more.schedules.map(({ name }) => name)).toEqual(['Day', 'Valve', 'Valve 2'])
  })
})
