import { describe, expect, test } from 'vitest'
import type { CommissionedConnection, CommissionedDatapoint, CommissioningFile } from './file.ts'
import { fileProblems, fileWarnings } from './problems.ts'

const point = (about: Partial<CommissionedDatapoint> = {}): CommissionedDatapoint => ({
  name: 'Power',
  accessType: 'READ_WRITE',
  data: { register: 1, type: 'int16' },
  ...about,
})

const connection = (about: Partial<CommissionedConnection> = {}): CommissionedConnection => ({
  name: 'Inverter',
  protocol: 'modbus-tcp',
  settings: { host: '10.0.0.5' },
  datapoints: [point()],
  ...about,
})

const file = (...connections: CommissionedConnection[]): CommissioningFile => ({
  technicalSystem: 'Roof',
  connections,
})

const scaler = { inputValue1: 0, outputValue1: 0, inputValue2: 10, outputValue2: 100 }
const flat = { ...scaler, outputValue2: 0 }

describe('a commissioning file', () => {
  test('with every field has no problems', () => {
    const everything = file(
      connection({
        datapoints: [
          point({
            writeInputType: 'number',
            writeInputData: { min: -10, max: 10 },
            releaseValue: 20,
            limits: { min: 0, max: 20, maxStepPerMinute: 0.5, minOnSeconds: 60, minOffSeconds: 60, maxStartsPerDay: 4 },
            analyticsInterval: 900,
            analyticsCalculateConsumption: true,
            broadcastInterval: 10,
            writeInterval: 60,
            scaler,
          }),
          point({ name: 'Valve', accessType: 'WRITE', writeInputData: { min: 5, max: 5 } }),
          point({ name: 'Meter', accessType: 'READ' }),
        ],
      }),
      connection({ name: 'Broker', protocol: 'mqtt' }),
    )
    expect(fileProblems(everything)).toEqual([])
  })

  test('without connections empties the technical system', () => {
    expect(fileProblems(file())).toEqual([])
  })

  test('may reuse a name on another connection', () => {
    expect(fileProblems(file(connection(), connection({ name: 'Second inverter' })))).toEqual([])
  })
})

describe('a problem in a commissioning file', () => {
  test.each<[string, CommissioningFile, string, string]>([
    [
      'two connections of one name',
      file(connection(), connection({ datapoints: [] })),
      'connections[1].name',
      '"Inverter" is already the name of connections[0]',
    ],
    [
      'two datapoints of one name',
      file(connection({ datapoints: [point({ name: 'A' }), point(), point()] })),
      'connections[0].datapoints[2].name',
      '"Power" is already the name of connections[0].datapoints[1]',
    ],
    [
      'a releaseValue on a READ datapoint',
      file(connection({ datapoints: [point({ accessType: 'READ', releaseValue: 0 })] })),
      'connections[0].datapoints[0].releaseValue',
      'is only for datapoints that can be written',
    ],
    [
      'an envelope on what is only read',
      file(connection({ datapoints: [point({ accessType: 'READ', writeInputData: { min: 0, max: 1 } })] })),
      'connections[0].datapoints[0].writeInputData',
      'is only for datapoints that can be written',
    ],
    [
      'an input type on what is only read',
      file(connection({ datapoints: [point({ accessType: 'READ', writeInputType: 'number' })] })),
      'connections[0].datapoints[0].writeInputType',
      'is only for datapoints that can be written',
    ],
    [
      'an envelope that is upside down',
      file(connection({ datapoints: [point({ writeInputData: { min: 2, max: 1 } })] })),
      'connections[0].datapoints[0].writeInputData',
      'min 2 is above max 1',
    ],
    [
      'a scaler of one input',
      file(connection({ datapoints: [point({ scaler: { ...scaler, inputValue2: 0 } })] })),
      'connections[0].datapoints[0].scaler',
      'needs two different inputs and two different outputs',
    ],
    [
      'a scaler of one output',
      file(connection({ datapoints: [point({ scaler: { ...scaler, outputValue2: 0 } })] })),
      'connections[0].datapoints[0].scaler',
      'needs two different inputs and two different outputs',
    ],
  ])('is %s', (_what, mistaken, path, message) => {
    expect(fileProblems(mistaken)).toEqual([{ path, message }])
  })

  const MISTAKEN = file(
    connection({ datapoints: [point({ writeInputData: { min: 2, max: 1 } }), point()] }),
    connection({ datapoints: [point({ accessType: 'READ', writeInputType: 'number' })] }),
  )
  const IN_FILE_ORDER = [
    'connections[0].datapoints[0].writeInputData',
    'connections[0].datapoints[1].name',
    'connections[1].name',
    'connections[1].datapoints[0].writeInputType',
  ]

  test('is reported with all others, each once', () => {
    expect(new Set(fileProblems(MISTAKEN).map(({ path }) => path))).toEqual(new Set(IN_FILE_ORDER))
    expect(fileProblems(MISTAKEN)).toHaveLength(IN_FILE_ORDER.length)
  })

  test('is reported in file order', () => {
    expect(fileProblems(MISTAKEN).map(({ path }) => path)).toEqual(IN_FILE_ORDER)
  })

  test('is reported in file order for failsafes too; schedules come after all datapoints', () => {
    const mistaken: CommissioningFile = {
      schedules: [{ name: 'Night', datapoint: 'Nothing', slots: [] }],
      peakShaving: { meter: 'Nothing', loads: [] },
      ...file(
        connection({ datapoints: [point({ failsafe: { reversion: 'Nothing', seconds: 60 }, scaler: flat })] }),
        connection({ datapoints: [] }),
      ),
    }
    expect(fileProblems(mistaken).map(({ path }) => path)).toEqual([
      'connections[0].datapoints[0].scaler',
      'connections[0].datapoints[0].failsafe.reversion',
      'connections[1].name',
      'peakShaving.meter',
      'peakShaving.loads',
      'schedules[0].datapoint',
      'schedules[0].slots',
    ])
  })
})

describe('limits', () => {
  const found = (about: Partial<CommissionedDatapoint>) =>
    fileProblems(file(connection({ datapoints: [point(about)] }))).map(
      ({ path, message }) => `${path.replace('connections[0].datapoints[0].', '')}: ${message}`,
    )

  test.each<[Partial<CommissionedDatapoint>, string[]]>([
    [{ limits: {} }, []],
    [{ limits: { min: 5, max: 5 } }, []],
    [{ limits: { min: 6, max: 5 } }, ['limits: min 6 is above max 5']],
    [{ limits: { maxStepPerMinute: 0 } }, ['limits.maxStepPerMinute: must be above 0']],
    [{ limits: { maxStepPerMinute: -1 } }, ['limits.maxStepPerMinute: must be above 0']],
    [{ limits: { min: 5 }, releaseValue: 4 }, ['releaseValue: 4 is below limits.min 5']],
    [{ limits: { max: 5 }, releaseValue: 6 }, ['releaseValue: 6 is above limits.max 5']],
    [{ limits: { min: 4, max: 6 }, releaseValue: 5 }, []],
    [{ accessType: 'READ', limits: { max: 5 } }, ['limits: is only for datapoints that can be written']],
    [{ accessType: 'WRITE', limits: { min: 0, maxStartsPerDay: 4 } }, []],
    [
      { accessType: 'WRITE', limits: { maxStepPerMinute: 1 } },
      ['limits.maxStepPerMinute: needs a datapoint that can be read: make it READ_WRITE or leave this limit out'],
    ],
  ])('%j', (about, expected) => {
    expect(found(about)).toEqual(expected)
  })

  test('are not for a failsafe register, which no writer holds', () => {
    const datapoints = [
      point({ failsafe: { reversion: 'Timer', seconds: 60 } }),
      point({ name: 'Timer', limits: { max: 100 } }),
    ]
    expect(fileProblems(file(connection({ datapoints })))).toEqual([
      {
        path: 'connections[0].datapoints[0].failsafe.reversion',
        message: '"Timer" has limits, which are not enforced for a failsafe register',
      },
    ])
  })
})

describe('warnings', () => {
  const METER: CommissionedDatapoint = { name: 'Meter', accessType: 'READ', data: {} }
  const warned = (limits: CommissionedDatapoint['limits']) =>
    fileWarnings({
      ...file(
        connection({ datapoints: [point({ writeInputData: { min: 0, max: 99 }, ...(limits && { limits }) }), METER] }),
      ),
      peakShaving: { meter: 'Meter', loads: [{ datapoint: 'Power', priority: 1, shedValue: 0 }] },
      schedules: [
        {
          name: 'Night',
          datapoint: 'Power',
          slots: [
            { days: ['mon'], from: '00:00', to: '01:00', value: 50 },
            { days: ['mon'], from: '01:00', to: '02:00', value: 50, mode: 'offset' },
          ],
        },
      ],
    })

  test('say that local writers want values outside the limits', () => {
    expect(warned({ min: 10, max: 20 })).toEqual([
      {
        path: 'peakShaving.loads[0].shedValue',
        message: '0 is below limits.min 10 of "Power": the controller writes 10',
      },
      {
        path: 'schedules[0].slots[0].value',
        message: '50 is above limits.max 20 of "Power": the controller writes 20',
      },
    ])
    expect(warned(undefined)).toEqual([])
  })
})
