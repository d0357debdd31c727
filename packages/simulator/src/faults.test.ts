import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFaults } from './faults.ts'

const NONE = { modbus: {}, mqtt: {}, obix: {}, meter: {}, battery: {} }

describe('faults', () => {
  test('are empty by default', () => {
    expect(parseFaults([])).toEqual({ faults: NONE, problems: [] })
  })

  test('are written as protocol or part of the plant, and name, some with a number', () => {
    const protocols = ['modbus:ignore-writes', 'modbus:late=1500', 'mqtt:offline', 'obix:lease=1', 'obix:huge-body']
    const plant = ['meter:late=20000', 'meter:reversed', 'battery:refuses']
    expect(parseFaults([...protocols, ...plant])).toEqual({
      faults: {
        modbus: { 'ignore-writes': 1, late: 1500 },
        mqtt: { offline: 1 },
        obix: { lease: 1, 'huge-body': 100 },
        meter: { late: 20_000, reversed: 1 },
        battery: { refuses: 1 },
      },
      problems: [],
    })
  })

  test('that are given twice use the last value', () => {
    expect(parseFaults(['modbus:late=1', 'modbus:late=2']).faults.modbus).toEqual({ late: 2 })
  })

  test.each([
    '',
    'silent',
    'bacnet:silent',
    'modbus:',
    'modbus:sleepy',
    'mqtt:late=5',
    'modbus:toString',
    ' modbus:silent',
  ])('do not include "%s"', (text) => {
    const { faults, problems } = parseFaults([text])
    expect(faults).toEqual(NONE)
    expect(problems).toEqual([expect.stringMatching(/ is not one of: modbus:silent, modbus:late, .*battery:refuses$/)])
  })

  test.each([
    ['modbus:late', 'modbus:late needs a whole number from 1 to 600000: modbus:late=1'],
    ['modbus:late=soon', 'modbus:late=soon needs a whole number from 1 to 600000: modbus:late=1'],
    ['modbus:exception=12', 'modbus:exception=12 needs a whole number from 1 to 11: modbus:exception=1'],
    ['modbus:silent=2', 'modbus:silent=2 needs a whole number from 1 to 1: modbus:silent=1'],
    ['obix:lease=', 'obix:lease= needs a whole number from 1 to 3600: obix:lease=1'],
  ])('in %s are rejected with the required format', (text, problem) => {
    expect(parseFaults([text, 'mqtt:silent'])).toMatchObject({ faults: { mqtt: { silent: 1 } }, problems: [problem] })
  })

  test('are empty for a text with problems', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (texts) => {
        const { faults, problems } = parseFaults(texts)
        const found = Object.values(faults).flatMap((each) => Object.keys(each))
        expect(found.length + problems.length).toBeLessThanOrEqual(texts.length)
      }),
    )
  })
})
