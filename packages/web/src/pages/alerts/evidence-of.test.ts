import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { expect, test } from 'vitest'
import { evidenceOf } from './evidence-of.ts'

const HOUR = 3_600_000
const BEGAN = Date.parse('2026-11-18T09:00:00Z')
const datapoint = (id: string, more: object = {}) => ({
  id,
  name: id,
  accessType: 'READ',
  analyticsInterval: 60,
  ...more,
})
const connection = (id: string, ...datapoints: object[]) => ({ id, name: id, datapoints })
const systems = [
  {
    connections: [
      connection('inverter', datapoint('power'), datapoint('unarchived', { analyticsInterval: 0 })),
      connection('meter', datapoint('grid', { tags: ['site.power'] }), datapoint('volts')),
    ],
  },
] as unknown as TechnicalSystem[]

const find = (kind: 'device' | 'connection' | 'datapoint' | 'job', id: string, now = BEGAN + HOUR) =>
  evidenceOf(
    {
      deviceId: kind === 'job' ? null : 'd',
      deviceName: 'D',
      subject: { kind, id, name: id },
      beganAt: new Date(BEGAN).toISOString(),
    },
    systems,
    now,
  )
const drawn = (found: ReturnType<typeof find>) => found?.sources.map(({ datapointId }) => datapointId)

test('an alert has the history of its datapoint, of its connection, or of what matters of its controller', () => {
  expect(drawn(find('datapoint', 'volts'))).toEqual(['volts'])
  expect(drawn(find('connection', 'inverter'))).toEqual(['power'])
  expect(drawn(find('device', 'd'))).toEqual(['grid'])
  expect(drawn(find('datapoint', 'unarchived'))).toEqual([])
})

test('audit entries are those of the datapoint or of the controller', () => {
  expect(find('datapoint', 'volts')?.audit).toEqual({ deviceId: 'd', datapointId: 'volts' })
  expect(find('connection', 'inverter')?.audit).toEqual({ deviceId: 'd' })
})

test('it covers three hours before and six after its beginning, and never the future', () => {
  expect(find('device', 'd')?.period).toEqual({ from: BEGAN - 3 * HOUR, to: BEGAN + HOUR })
  expect(find('device', 'd', BEGAN + 99 * HOUR)?.period.to).toBe(BEGAN + 6 * HOUR)
})

test('an alert of a job has none', () => {
  expect(find('job', 'j')).toBeUndefined()
})
