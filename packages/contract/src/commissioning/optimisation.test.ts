import { describe, expect, test } from 'vitest'
import type {
  CommissionedLoad,
  CommissionedPeakShaving,
  CommissionedSchedule,
  CommissionedSlot,
  CommissioningFile,
} from './file.ts'
import { fileProblems } from './problems.ts'

const point = (name: string, accessType: 'READ' | 'READ_WRITE' | 'WRITE' = 'READ_WRITE') => ({
  name,
  accessType,
  data: {},
})

/** Two connections that have a Power each. */
const FILE: CommissioningFile = {
  technicalSystem: 'Roof',
  connections: [
    {
      name: 'Inverter',
      protocol: 'modbus-tcp',
      settings: {},
      datapoints: [point('Power'), point('Limit'), point('Valve', 'WRITE')],
    },
    {
      name: 'Meter',
      protocol: 'modbus-tcp',
      settings: {},
      datapoints: [point('Power', 'READ'), point('Grid', 'READ'), point('Zone')],
    },
  ],
}

const load = (datapoint: string, about: Partial<CommissionedLoad> = {}): CommissionedLoad => ({
  datapoint,
  priority: 1,
  shedValue: 0,
  ...about,
})
const shaving = (about: Partial<CommissionedPeakShaving>): CommissioningFile => ({
  ...FILE,
  peakShaving: { meter: 'Grid', limitKw: 100, loads: [load('Limit')], ...about },
})
const slot = (about: Partial<CommissionedSlot> = {}): CommissionedSlot => ({
  days: ['mon'],
  from: '07:00',
  to: '18:00',
  value: 21,
  ...about,
})
const schedule = (about: Partial<CommissionedSchedule> = {}): CommissionedSchedule => ({
  name: 'Day',
  datapoint: 'Limit',
  slots: [slot()],
  ...about,
})
const scheduled = (...schedules: CommissionedSchedule[]): CommissioningFile => ({ ...FILE, schedules })
const slots = (...all: CommissionedSlot[]) => scheduled(schedule({ slots: all }))

describe('peak shaving', () => {
  test.each<[string, CommissioningFile]>([
    ['has one limit', shaving({ limitKw: 0 })],
    [
      'has limits by the hour',
      { ...FILE, peakShaving: { meter: 'Grid', hourlyLimitsKw: Array(24).fill(5), loads: [load('Limit')] } },
    ],
    ['has no limit yet', { ...FILE, peakShaving: { meter: 'Grid', loads: [load('Limit')] } }],
    ['sheds what can only be written', shaving({ loads: [load('Valve')] })],
    ['calls datapoints with their connection', shaving({ meter: 'Meter/Power', loads: [load('Inverter/Power')] })],
    ['has loads of the same priority', shaving({ loads: [load('Limit'), load('Valve')] })],
  ])('%s', (_what, right) => {
    expect(fileProblems(right)).toEqual([])
  })

  test.each<[string, CommissioningFile, string, string]>([
    ['an unknown meter', shaving({ meter: 'Gird' }), 'peakShaving.meter', 'this file has no datapoint "Gird"'],
    ['a meter that cannot be read', shaving({ meter: 'Valve' }), 'peakShaving.meter', '"Valve" cannot be read'],
    [
      'a meter of a name that two connections have',
      shaving({ meter: 'Power' }),
      'peakShaving.meter',
      '"Power" is the name of 2 datapoints: write which one, for example Inverter/Power',
    ],
    [
      'one limit and limits by the hour',
      shaving({ hourlyLimitsKw: Array(24).fill(5) }),
      'peakShaving.hourlyLimitsKw',
      'conflicts with limitKw: keep one of them',
    ],
    ['nothing to shed', shaving({ loads: [] }), 'peakShaving.loads', 'needs a load to shed'],
    [
      'a load that there is not',
      shaving({ loads: [load('Limit'), load('Boiler')] }),
      'peakShaving.loads[1].datapoint',
      'this file has no datapoint "Boiler"',
    ],
    [
      'a load that cannot be written',
      shaving({ loads: [load('Meter/Power')] }),
      'peakShaving.loads[0].datapoint',
      '"Meter/Power" cannot be written',
    ],
    [
      'a load of a name that two connections have',
      shaving({ loads: [load('Power')] }),
      'peakShaving.loads[0].datapoint',
      '"Power" is the name of 2 datapoints: write which one, for example Inverter/Power',
    ],
    [
      'a load twice',
      shaving({ loads: [load('Limit'), load('Limit')] }),
      'peakShaving.loads[1].datapoint',
      '"Limit" is already the load of peakShaving.loads[0]',
    ],
    [
      'a load twice by two names',
      shaving({ loads: [load('Limit'), load('Valve'), load('Inverter/Limit')] }),
      'peakShaving.loads[2].datapoint',
      '"Inverter/Limit" is already the load of peakShaving.loads[0]',
    ],
    [
      'a load that is the meter',
      shaving({ meter: 'Zone', loads: [load('Meter/Zone')] }),
      'peakShaving.loads[0].datapoint',
      '"Meter/Zone" is the meter',
    ],
  ])('does not have %s', (_what, mistaken, path, message) => {
    expect(fileProblems(mistaken)).toEqual([{ path, message }])
  })
})

describe('an ambiguous reference, because names have slashes', () => {
  const slashed = (...connections: [string, string][]): CommissioningFile => ({
    technicalSystem: 'Roof',
    connections: connections.map(([name, datapoint]) => ({
      name,
      protocol: 'mqtt',
      settings: {},
      datapoints: [point(datapoint)],
    })),
    schedules: [schedule({ datapoint: connections[0]?.join('/') as string })],
  })

  test('suggests a reference that is clear', () => {
    expect(fileProblems(slashed(['A', 'B'], ['C', 'A/B']))).toEqual([
      {
        path: 'schedules[0].datapoint',
        message: '"A/B" is the name of 2 datapoints: write which one, for example C/A/B',
      },
    ])
  })

  test('suggests renaming where no reference is clear', () => {
    expect(fileProblems(slashed(['A', 'B/C'], ['A/B', 'C']))).toEqual([
      { path: 'schedules[0].datapoint', message: '"A/B/C" is the name of 2 datapoints: rename one of them' },
    ])
  })
})

describe('a schedule', () => {
  test.each<[string, CommissioningFile]>([
    ['drives what can only be written', scheduled(schedule({ datapoint: 'Valve' }))],
    [
      'is beside one of another name on another datapoint',
      scheduled(schedule(), schedule({ name: 'Night', datapoint: 'Zone' })),
    ],
    ['drives a load of peak shaving', { ...shaving({}), schedules: [schedule()] }],
    ['goes on to the next day', slots(slot({ from: '22:00', to: '06:00' }))],
    ['has a slot of a whole day', slots(slot({ from: '00:00', to: '24:00' }))],
    ['has a slot of a minute', slots(slot({ from: '23:59', to: '00:00' }))],
    ['has slots that overlap: the later one rules', slots(slot(), slot({ value: 5 }))],
  ])('%s', (_what, right) => {
    expect(fileProblems(right)).toEqual([])
  })

  test.each<[string, CommissioningFile, string, string]>([
    [
      'a name twice',
      scheduled(schedule(), schedule({ datapoint: 'Zone' })),
      'schedules[1].name',
      '"Day" is already the name of schedules[0]',
    ],
    [
      'a datapoint that there is not',
      scheduled(schedule({ datapoint: 'Boiler' })),
      'schedules[0].datapoint',
      'this file has no datapoint "Boiler"',
    ],
    [
      'a datapoint that cannot be written',
      scheduled(schedule({ datapoint: 'Grid' })),
      'schedules[0].datapoint',
      '"Grid" cannot be written',
    ],
    [
      'a datapoint of a name that two connections have',
      scheduled(schedule({ datapoint: 'Power' })),
      'schedules[0].datapoint',
      '"Power" is the name of 2 datapoints: write which one, for example Inverter/Power',
    ],
    [
      'a datapoint that another one drives, whatever they call it',
      scheduled(schedule(), schedule({ name: 'Night', datapoint: 'Inverter/Limit' })),
      'schedules[1].datapoint',
      '"Inverter/Limit" is already driven by schedules[0]',
    ],
    ['no slots', slots(), 'schedules[0].slots', 'needs a slot'],
    ['a slot without days', slots(slot(), slot({ days: [] })), 'schedules[0].slots[1].days', 'needs a day'],
    [
      'a slot of no length',
      slots(slot({ from: '07:00', to: '07:00' })),
      'schedules[0].slots[0].to',
      'is the same as from: a whole day is 00:00 to 24:00',
    ],
  ])('does not have %s', (_what, mistaken, path, message) => {
    expect(fileProblems(mistaken)).toEqual([{ path, message }])
  })

  test.each(['7:00', '25:00', '24:01', '07:60', '0700', '07:00:00', '07:00 ', '', 'noon', '٠٧:٠٠', '-1:00'])(
    'does not have the time "%s"',
    (time) => {
      expect(fileProblems(slots(slot({ from: time })))).toEqual([
        {
          path: 'schedules[0].slots[0].from',
          message: `"${time}" is not a time of day: write HH:MM, for example 07:00`,
        },
      ])
      expect(fileProblems(slots(slot({ to: time })))).toEqual([
        {
          path: 'schedules[0].slots[0].to',
          message: `"${time}" is not a time of day: write HH:MM, for example 18:00, or 24:00 for its end`,
        },
      ])
    },
  )

  test('cannot begin at 24:00', () => {
    expect(fileProblems(slots(slot({ from: '24:00', to: '06:00' }))).map(({ path }) => path)).toEqual([
      'schedules[0].slots[0].from',
    ])
  })

  test('reports all mistakes in file order', () => {
    const mistaken = scheduled(
      schedule({ datapoint: 'Boiler', slots: [slot({ days: [], from: '7:00', to: '25:00' })] }),
      schedule({ datapoint: 'Grid', slots: [slot({ to: '07:00' })] }),
    )
    expect(fileProblems(mistaken).map(({ path }) => path)).toEqual([
      'schedules[0].datapoint',
      'schedules[0].slots[0].days',
      'schedules[0].slots[0].from',
      'schedules[0].slots[0].to',
      'schedules[1].name',
      'schedules[1].datapoint',
      'schedules[1].slots[0].to',
    ])
  })
})
