import type { FoundConnection } from '@plantroom/contract/discovery'
import { describe, expect, test } from 'vitest'
import { edeOf, readEde } from './ede.ts'

const HOST = '10.0.0.5'
const FOUND: FoundConnection = {
  ...{
    name: 'AHU 1',
    protocol: 'bacnet-ip',
    settings: { host: HOST, deviceInstance: 1234 },
    description: '',
    warnings: [],
  },
  datapoints: [
    {
      ...{ name: 'Supply; air', accessType: 'READ', raw: null, unit: '°C', description: 'says "hello"', warnings: [] },
      data: { object: 'analog-input,1', units: 'degrees-celsius' },
    },
    {
      ...{ name: 'Valve', accessType: 'READ_WRITE', commandable: true, raw: null, unit: '%', warnings: [] },
      ...{ writeInputData: { min: 0, max: 100 }, data: { object: 'analog-output,2', units: 'percent' } },
    },
    {
      ...{ name: 'Fan', accessType: 'READ_WRITE', commandable: true, raw: null, unit: 'on/off', warnings: [] },
      ...{ writeInputData: { min: 0, max: 1 }, data: { object: 'binary-output,4' } },
    },
  ],
}

const TITLES = '# keyname;device obj.-instance;object-name;object-type;object-instance;description;settable;unit-code'
const fileOf = (...rows: string[]) => ['PROJECT_NAME;Test', TITLES, ...rows].join('\r\n')

describe('an EDE file', () => {
  test('has what a scan found, and is read as that again', () => {
    const { ede: text, stateTexts } = edeOf([FOUND], { project: 'Room', at: '2030-01-01' })
    expect(stateTexts).toBeUndefined()
    const lines = text.split('\r\n')
    expect(lines.slice(0, 2)).toEqual(['# Engineering-Data-Exchange - B.I.G.-EU', 'PROJECT_NAME;Room'])
    expect(lines[7]).toBe('AHU 1;1234;AHU 1;8;1234;;;;;N;N;;;;;')
    expect(lines[9]).toBe('AHU 1.Valve;1234;Valve;1;2;;;0;100;Y;N;;;;98;')
    expect(readEde(text, HOST)).toEqual({ connections: [FOUND], warnings: [] })
  })

  test('of another program is read: other separators, quotes, a mark at the start, decimal commas', () => {
    const text = [
      '\ufeff#keyname,device-obj-instance,object-name,object-type,object-instance,min-present-value,max-present-value,commandable,unit-code',
      '#a comment,,,,',
      'k,7,"Valve, north",1,2,"0,5","99,5",Y,98',
      '',
    ].join('\n')
    expect(readEde(text, HOST).connections).toMatchObject([
      {
        ...{ name: 'Device 7', settings: { host: HOST, deviceInstance: 7 } },
        datapoints: [{ name: 'Valve, north', accessType: 'READ_WRITE', writeInputData: { min: 0.5, max: 99.5 } }],
      },
    ])
  })

  test('warns of what it cannot say, and of what a datapoint cannot be', () => {
    const text = fileOf('a;7;Level;2;1;;Y;64000', 'b;7;Level;2;2;;N;', 'c;7;Twice;2;1;;N;', 'd;7;Log;20;1;;N;')
    const { connections, warnings } = readEde(text, HOST)
    expect(connections[0]?.datapoints).toMatchObject([
      {
        name: 'Level',
        accessType: 'READ',
        commandable: true,
        warnings: [expect.stringContaining('no bounds'), expect.stringContaining('no unit')],
      },
      { name: 'Level (analog-value,2)', accessType: 'READ' },
    ])
    expect(warnings).toEqual([
      'line 3: unit-code: 64000 is not known',
      'line 5: analog-value,1 of device 7 is there twice: the first one counts',
      'objects of types that a datapoint cannot have were left out: 1',
    ])
  })

  test.each([
    ['', 'no line begins with "# keyname"'],
    ['PROJECT_NAME;x', 'no line begins with "# keyname"'],
    ['# keyname;object-name', 'line 1: the columns device obj.-instance, object-type, object-instance are missing'],
    [
      fileOf('a;x;N;2;1', 'b;7;N;2;9999999'),
      'line 3: device obj.-instance: x must be a whole number from 0 to 4194302; line 4:',
    ],
    [fileOf('a;;N;2;1'), 'line 3: device obj.-instance: nothing must be'],
    [fileOf(...Array.from({ length: 30 }, () => 'a;x;N;2;1')), 'and 10 more'],
    [fileOf('"'.repeat(100_001)), 'object-type: nothing'],
    [fileOf(...Array.from({ length: 20_001 }, () => 'a')), 'more than 20000 lines'],
  ])('with a mistake is refused, with its line', (text, message) => {
    expect(() => readEde(text, HOST)).toThrow(message)
  })
})
