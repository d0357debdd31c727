import { csvLine } from '@plantroom/base/csv'
import { describe, expect, test } from 'vitest'
import type { DeviceNames } from './device-name-store.ts'
import { createNaming, REPORT_COLUMNS, reportCells } from './report-csv.ts'
import { entriesOf, entryOf } from './testing/entries.ts'

const namesOf = (deviceId: string): DeviceNames => ({
  device: `Device ${deviceId}`,
  technicalSystems: new Map([['ts_1', 'Heating']]),
  connections: new Map([['conn_1', 'Modbus']]),
  datapoints: new Map([['dp_1', '=Setpoint']]),
})

function start(options: { maxNames?: number; gone?: string } = {}) {
  const asked: string[] = []
  const addNames = createNaming({
    ...options,
    names: {
      async find(deviceId) {
        asked.push(deviceId)
        return deviceId === options.gone ? undefined : namesOf(deviceId)
      },
    },
  })
  return { asked, addNames }
}

describe('names of reports', () => {
  test('are looked up once per device', async () => {
    const { asked, addNames } = start({ gone: 'c' })
    const entries = ['a', 'b', 'a', 'c', 'b', 'c'].map((deviceId, index) => entryOf(deviceId, index))
    const named = await addNames(entries)
    expect(named.map(({ entry }) => entry)).toEqual(entries)
    expect(named.map(({ names }) => names?.device)).toEqual([
      'Device a',
      'Device b',
      'Device a',
      undefined,
      'Device b',
      undefined,
    ])
    await addNames(entries)
    expect(asked).toEqual(['a', 'b', 'c'])
  })

  test('are cached for the devices used last', async () => {
    const { asked, addNames } = start({ maxNames: 6 })
    await addNames(entriesOf('a', 2))
    await addNames(entriesOf('b', 2))
    await addNames(entriesOf('a', 2))
    await addNames(entriesOf('c', 2))
    expect(asked).toEqual(['a', 'b', 'c'])
    await addNames(entriesOf('a', 2))
    expect(asked).toEqual(['a', 'b', 'c'])
    await addNames(entriesOf('b', 2))
    expect(asked).toEqual(['a', 'b', 'c', 'b'])
  })

  test('are complete on a page with more devices than the cache holds', async () => {
    const { addNames } = start({ maxNames: 1 })
    const named = await addNames(['a', 'b', 'c'].map((deviceId) => entryOf(deviceId, 1)))
    expect(named.map(({ names }) => names?.device)).toEqual(['Device a', 'Device b', 'Device c'])
  })
})

describe('a line of a report', () => {
  const line = (changes: Parameters<typeof entryOf>[2], names: DeviceNames | undefined) => {
    const cells = reportCells({ entry: entryOf('dev_1', 7, { id: 'rep_1', ...changes }), names })
    return Object.fromEntries(REPORT_COLUMNS.map((column, index) => [column, cells[index]]))
  }

  test('has names beside ids, and values as numbers', () => {
    expect(line({ valueBefore: -20.5, value: null, readBack: '9007199254740993' }, namesOf('dev_1'))).toEqual({
      at: '2026-01-31T12:00:00.250Z',
      code: 4005,
      title: 'Demand response adjustment',
      phase: 'applied',
      reason: 'window',
      deviceName: 'Device dev_1',
      technicalSystemName: 'Heating',
      connectionName: 'Modbus',
      datapointName: '=Setpoint',
      valueBefore: -20.5,
      value: null,
      readBack: '9007199254740993',
      deviceId: 'dev_1',
      technicalSystemId: 'ts_1',
      connectionId: 'conn_1',
      datapointId: 'dp_1',
      overrideId: 'ovr_1',
      reqId: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
      id: 'rep_1',
      seq: 7,
    })
  })

  test('has an empty cell for a name that no longer exists', () => {
    expect(line({ datapointId: 'dp_gone' }, namesOf('dev_1'))).toMatchObject({ datapointName: null })
    expect(line({}, undefined)).toMatchObject({ deviceName: null, datapointName: null, deviceId: 'dev_1' })
  })

  test('contains no formulas, and keeps negative numbers unchanged', () => {
    const cells = reportCells({ entry: entryOf('dev_1', 7, { value: -20 }), names: namesOf('dev_1') })
    expect(csvLine(cells)).toContain(",'=Setpoint,20,-20,21.5,")
  })
})
