import { csvLine } from '@plantroom/base/csv'
import { describe, expect, test } from 'vitest'
import type { DeviceNames } from './device-name-store.ts'
import { REPORT_COLUMNS, reportCells } from './report-routes.ts'
import { entryOf, namesOf } from './testing/entries.ts'

describe('a line of a report', () => {
  const line = (changes: Parameters<typeof entryOf>[2], names: DeviceNames | undefined) => {
    const cells = reportCells({ entry: entryOf('dev_1', 7, { id: 'rep_1', ...changes }), names })
    return Object.fromEntries(REPORT_COLUMNS.map((column, index) => [column, cells[index]]))
  }

  test('has names beside ids, and values as numbers', () => {
    const callers = {
      placedBy: { id: 'key_1', name: 'Market', reason: null },
      cancelledBy: { id: 'user:usr_1', name: 'Ann', reason: 'too cold' },
    }
    const values = { valueBefore: -20.5, value: null, readBack: '9007199254740993' }
    expect(line({ ...values, ...callers }, namesOf('dev_1'))).toEqual({
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
      placedById: 'key_1',
      placedByName: 'Market',
      placedReason: null,
      cancelledById: 'user:usr_1',
      cancelledByName: 'Ann',
      cancelledReason: 'too cold',
      inChargePriority: null,
      inChargeValue: null,
      inChargeOutranks: null,
    })
  })

  test('says what the equipment follows instead of the controller', () => {
    const inCharge = { priority: 8, value: 21.5, outranks: true }
    expect(line({ inCharge }, undefined)).toMatchObject({
      ...{ inChargePriority: 8, inChargeValue: 21.5 },
      inChargeOutranks: 'true',
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
