import type { FoundConnection } from '@plantroom/contract/discovery'
import { describe, expect, test } from 'vitest'
import { edeOf, readEde } from './ede.ts'
import { readStateTexts } from './ede-states.ts'

const HOST = '10.0.0.5'
const datapoint = (name: string, object: string, states?: readonly string[]) => {
  const [min, max] = object.startsWith('binary') ? [0, 1] : [1, states?.length ?? 1]
  return {
    ...{ name, accessType: 'READ_WRITE' as const, commandable: true, raw: null, warnings: [] },
    data: { object, ...(states && { states }) },
    ...(object.startsWith('binary') && { unit: 'on/off' }),
    writeInputData: { min, max },
  }
}
const FOUND: FoundConnection = {
  ...{
    name: 'AHU 1',
    protocol: 'bacnet-ip',
    settings: { host: HOST, deviceInstance: 7 },
    description: '',
    warnings: [],
  },
  datapoints: [
    datapoint('Fan', 'binary-output,1', ['Aus', 'Ein']),
    datapoint('Pump', 'binary-output,2', ['Aus', 'Ein']),
    datapoint('Mode', 'multi-state-value,1', ['-10 °C; "cold"', '=Auto', 'Überhitzt', 'Off']),
    datapoint('Valve', 'binary-output,3'),
  ],
}

const TITLES = '# keyname;device obj.-instance;object-name;object-type;object-instance;settable;state-text-reference'
/** An EDE file with one object: 4 is a binary output, 19 a multi-state value, 2 an analog value. */
const edeWith = (type: number, reference: string, settable = 'Y') =>
  `${TITLES}\r\nk;7;Object;${type};1;${settable};${reference}\r\n`
const statesOf = (type: number, reference: string, texts: string) => {
  const { stateTexts, warnings } = readStateTexts(texts)
  const ede = readEde(edeWith(type, reference), HOST, stateTexts)
  return { found: ede.connections[0]?.datapoints[0], warnings: [...warnings, ...ede.warnings] }
}

describe('state texts', () => {
  test('are written once for each list of names, and are read as what was found', () => {
    const { ede, stateTexts = '' } = edeOf([FOUND], { project: 'Room', at: '2030-01-01' })
    expect(stateTexts.split('\r\n').slice(0, 3)).toEqual([
      '#State Text Reference',
      '#Reference Number;Text 1 or Inactive-Text;Text 2 or Active-Text;Text 3;Text 4',
      '1;Aus;Ein',
    ])
    const texts = readStateTexts(stateTexts)
    expect(texts.warnings).toEqual([])
    expect(readEde(ede, HOST, texts.stateTexts)).toEqual({ connections: [FOUND], warnings: [] })
  })

  test.each([
    [
      'semicolons and a mark at the start',
      '\ufeff#State Text Reference\r\n#Reference Number;Text 1;Text 2\r\n5;Off;"On; high"\r\n',
    ],
    ['commas and quotes', '"Reference Number","Text 1","Text 2"\n"5","Off","On; high",,,\n'],
    ['tabs', 'Reference Number\tText 1\tText 2\n5\tOff\tOn; high\n'],
    ['no titles', '5;Off;"On; high";;\n'],
    ['comments and empty lines', '#Reference Number;Text 1\n\n# fans;;\n;;\n5 ; Off ;"On; high"'],
  ])('are read with %s', (_, texts) => {
    const { found, warnings } = statesOf(19, '5', texts)
    expect(warnings).toEqual([])
    expect(found).toMatchObject({
      ...{ accessType: 'READ_WRITE', data: { states: ['Off', 'On; high'] }, writeInputData: { min: 1, max: 2 } },
      warnings: [],
    })
  })

  test.each([
    [
      19,
      '7',
      '5;Off;On',
      'line 2: state-text-reference: 7 is not among the state texts, so its states have no names here',
    ],
    [19, 'x', '5;Off;On', 'line 2: state-text-reference: x must be a reference number of the state texts'],
    [4, '5', '5;Off;On;Auto', 'line 2: state-text-reference: 5 has 3 texts, but a binary object has two states'],
    [19, '5', '\nfive;Off;On', 'state texts, line 2: the reference number five must be a whole number'],
    [19, '5', ';Off', 'state texts, line 1: the reference number nothing must be a whole number'],
    [19, '5', '5;;;', 'state texts, line 1: the reference number 5 has no texts'],
    [19, '5', '5;Off;;On', 'state texts, line 1: text 2 of the reference number 5 is empty: it was left out'],
    [19, '5', `5${';x'.repeat(1001)}`, 'state texts, line 1: the reference number 5 has more than 1000 texts'],
  ])(
    'that do not fit an object of type %i leave its states without names, with a warning',
    (type, reference, texts, warning) => {
      const { found, warnings } = statesOf(type, reference, texts)
      expect(warnings).toContain(warning)
      expect(found?.data).not.toHaveProperty('states')
    },
  )

  test('that are there twice count once', () => {
    const { found, warnings } = statesOf(4, '5', '5;Off;On\n5;No;Yes')
    expect(warnings).toEqual(['state texts, line 2: the reference number 5 is there twice: the first one counts'])
    expect(found).toMatchObject({ data: { states: ['Off', 'On'] }, writeInputData: { min: 0, max: 1 } })
  })

  test('say nothing about analog objects, and are asked for where they are missing', () => {
    expect(statesOf(2, '9', '5;Off;On').warnings).toEqual([])
    expect(readEde(edeWith(19, '9'), HOST).warnings).toEqual([
      '1 objects refer to state texts, which are in another file: give it to name their states',
    ])
    expect(readEde(edeWith(19, ''), HOST).warnings).toEqual([])
  })
})
