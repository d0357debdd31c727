import { allFileProblems } from '@plantroom/contract/commissioning'
import { describe, expect, test } from 'vitest'
import { addressText, readAddress } from './address-text.ts'
import { readDatapointTable } from './datapoint-csv.ts'

const read = (text: string, known: string[] = []) => readDatapointTable(text, new Set(known))

describe('a table of datapoints', () => {
  test('from a spreadsheet with semicolons and decimal commas gives datapoints with their addresses', () => {
    const table =
      'Name;Access;Unit;Min;Max;Scale;register;type\r\nPower;RW;kW;-50,5;50;0,1;100;int16\r\nGrid;;kW;;;;101;int16\r\n'
    expect(read(table)).toEqual({
      problems: [],
      datapoints: [
        {
          name: 'Power',
          accessType: 'READ_WRITE',
          unit: 'kW',
          writeInputType: 'number',
          writeInputData: { min: -50.5, max: 50 },
          scaler: { inputValue1: 0, outputValue1: 0, inputValue2: 0.1, outputValue2: 1 },
          data: { register: 100, type: 'int16' },
        },
        { name: 'Grid', accessType: 'READ', unit: 'kW', data: { register: 101, type: 'int16' } },
      ],
    })
  })

  test.each([
    ['commas, with quotes', 'name,access,stateTopic\n"Flow, supply ""A""",R,hp/flow'],
    ['tabs, as copied', 'name\taccess\tstateTopic\nFlow, supply "A"\tR\thp/flow'],
  ])('may have %s', (_separator, table) => {
    expect(read(table)).toMatchObject({
      problems: [],
      datapoints: [{ name: 'Flow, supply "A"', data: { stateTopic: 'hp/flow' } }],
    })
  })

  test('names every mistake with its row, and keeps the other rows', () => {
    const table =
      'name;access;min;max;register\nA;RW;1;;1\n;R;;;2\nB;maybe;;;3\n\nC;R;1.000,5;2;4\nD;R;;;5\nD;R;;;6\nE;R;;;7\nF;R;;;8;9'
    const { datapoints, problems } = read(table, ['E'])
    expect(datapoints.map(({ name }) => name)).toEqual(['D'])
    expect(problems.map(({ row }) => row)).toEqual([2, 3, 4, 6, 6, 8, 9, 10])
    expect(problems[6]?.message).toContain('E')
  })

  test.each([
    ['a quotation mark that is not closed', 'name;register\nA;1\n"B;2\nC;3\n', 3, 'A quotation mark is not closed'],
    ['a column that is named twice', 'name;Unit;register;unit\nA;kW;1;W', 1, 'The column unit is named twice'],
  ])('with %s is refused as a whole, with the row', (_what, table, row, message) => {
    expect(read(table)).toEqual({ datapoints: [], problems: [{ row, message: expect.stringContaining(message) }] })
  })

  test('pasted together from two files names the rows of the other', () => {
    const { datapoints, problems } = read('name;access;register\nA;R;1\nB\tR\t2\nC,R,3\n')
    expect(datapoints.map(({ name }) => name)).toEqual(['A'])
    expect(problems.map(({ row }) => row)).toEqual([3, 4])
    expect(problems[0]?.message).toContain('separated otherwise')
  })

  test.each([
    ['the line that names the separator', 'sep=,\r\nname,register\r\nA;B,1\r\nA;B,2\r\n', [4]],
    ['line ends of old Macs', 'name;register\rA;B\rA;2\r', [3]],
  ])('with %s is read, with rows as the spreadsheet has them', (_what, table, rows) => {
    const { datapoints, problems } = read(table)
    expect([datapoints.length, problems.map(({ row }) => row)]).toEqual([1, rows])
  })

  test('needs a column of names', () => {
    expect(read('register;type\n1;int16')).toMatchObject({ datapoints: [], problems: [{ row: 1 }] })
    expect(read('  \n')).toEqual({ datapoints: [], problems: [] })
  })

  test('of 5,000 rows is read and checked as a file', () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => `Point ${at};R;kW;${at};int16`)
    const { datapoints, problems } = read(`name;access;unit;register;type\n${rows.join('\n')}`)
    expect([datapoints.length, problems]).toEqual([5_000, []])
    const connections = [{ name: 'Meter', protocol: 'modbus-tcp', settings: { host: '10.0.0.5' }, datapoints }]
    expect(allFileProblems({ technicalSystem: 'Room', connections })).toEqual([])
  })
})

test('an address as a line is read as it was written', () => {
  for (const data of [
    { register: 100, type: 'int16' },
    { stateTopic: 'a/b', path: 'x y', code: '12', deep: { list: [1, '2'] }, on: true, none: null, empty: '' },
  ]) {
    expect(readAddress(addressText(data))).toEqual(data)
  }
  expect(addressText({ register: 100, type: 'int16' })).toBe('register=100 type=int16')
  for (const line of ['register', 'register=', '=1']) expect(readAddress(line)).toBeUndefined()
  expect(readAddress('')).toEqual({})
})
