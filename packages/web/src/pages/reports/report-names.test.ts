import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { choicesOf, chosen, namesOf } from './report-names.ts'

const system = (id: string, name: string, datapoints: Record<string, string>): TechnicalSystem => ({
  id,
  name,
  connections: [
    {
      id: `${id}-connection`,
      name: 'Modbus',
      protocol: 'modbus-tcp',
      settings: {},
      datapoints: Object.entries(datapoints).map(([datapointId, datapoint]) => ({
        id: datapointId,
        connectionId: `${id}-connection`,
        name: datapoint,
        accessType: 'READ_WRITE',
        analyticsInterval: 0,
        broadcastInterval: 0,
        writeInterval: 0,
        cloudScheduleId: null,
        scaler: { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 1 },
        alarmData: null,
        data: {},
        createdAt: '',
        updatedAt: '',
      })),
    },
  ],
})

const names = namesOf([
  { id: 'dev_1', name: 'Cellar', systems: [system('ts_1', 'Heating', { dp_1: 'Flow', dp_2: 'Return' })] },
  { id: 'dev_2', name: 'Roof', systems: [system('ts_2', 'Cooling', { dp_3: 'Flow' }), system('ts_3', 'Solar', {})] },
  { id: 'dev_3', name: 'New', systems: undefined },
])

describe('the names in audit entries', () => {
  test('are found by id', () => {
    expect(names.devices.get('dev_3')).toBe('New')
    expect(names.systems.get('ts_2')).toEqual({ name: 'Cooling', deviceId: 'dev_2' })
    expect(names.datapoints.get('dp_3')).toMatchObject({ name: 'Flow', systemId: 'ts_2', deviceId: 'dev_2' })
    expect(names.datapoints.get('dp_9')).toBeUndefined()
  })

  test('are offered as far as they fit the filters', () => {
    const labels = (choices: { label: string }[]) => choices.map(({ label }) => label)
    expect(labels(choicesOf(names, {}).systems)).toEqual(['Heating', 'Cooling', 'Solar'])
    expect(labels(choicesOf(names, { deviceId: 'dev_2' }).systems)).toEqual(['Cooling', 'Solar'])
    expect(labels(choicesOf(names, { technicalSystemId: 'ts_1' }).datapoints)).toEqual([
      'Flow (Modbus)',
      'Return (Modbus)',
    ])
    expect(choicesOf(names, { deviceId: 'gone' }).datapoints).toEqual([])
  })
})

describe('a choice', () => {
  test('of a controller clears a system of another one', () => {
    const before = { deviceId: 'dev_1', technicalSystemId: 'ts_1', datapointId: 'dp_1', code: 4005 } as const
    expect(chosen(names, before, { deviceId: 'dev_2' })).toEqual({ deviceId: 'dev_2', code: 4005 })
    expect(chosen(names, before, { deviceId: undefined })).toEqual({ ...before, deviceId: undefined })
  })

  test('of a system clears a datapoint of another one', () => {
    expect(chosen(names, { datapointId: 'dp_1' }, { technicalSystemId: 'ts_2' })).toEqual({ technicalSystemId: 'ts_2' })
    expect(chosen(names, { datapointId: 'dp_3' }, { technicalSystemId: 'ts_2' })).toEqual({
      technicalSystemId: 'ts_2',
      datapointId: 'dp_3',
    })
  })

  test('keeps ids that no longer have a name', () => {
    expect(chosen(names, { datapointId: 'dp_9' }, { code: 4001 })).toEqual({ datapointId: 'dp_9', code: 4001 })
  })
})
