import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { aDatapoint } from '../../pages/device/testing/examples.ts'
import { panelsOf } from './panels.ts'
import { chartSearch, findSources, shownSources, sourceKey, sourcesOf, withSources } from './sources.ts'

const system: TechnicalSystem = {
  id: 'battery',
  name: 'Battery room',
  timeZone: 'Europe/Tallinn',
  connections: [
    {
      id: 'inverter',
      name: 'Inverter',
      protocol: 'modbus-tcp',
      settings: {},
      datapoints: [
        aDatapoint({ unit: 'kW', limits: { max: 40 } }),
        aDatapoint({ id: 'meter', name: 'Grid power', accessType: 'READ', unit: 'kW' }),
        aDatapoint({ id: 'soc', name: 'State of charge', accessType: 'READ', unit: '%' }),
      ],
    },
  ],
  peakShaving: { meterId: 'meter', limitKw: 90, hysteresisKw: 5, cycleSeconds: 10, loads: [] },
}
const sources = sourcesOf([
  { id: 'device', name: 'Roof', systems: [system] },
  { id: 'other', name: 'Cellar', systems: undefined },
])

describe('the datapoints of a site', () => {
  test('have their limits, and the meter has the peak limit', () => {
    expect(sources.map(({ datapointId, isSetpoint, limits, peak }) => [datapointId, isSetpoint, limits, peak])).toEqual(
      [
        ['charge', true, { max: 40 }, undefined],
        ['meter', false, undefined, { limitKw: 90, timeZone: 'Europe/Tallinn' }],
        ['soc', false, undefined, undefined],
      ],
    )
  })

  test('are found by name, connection, controller and unit', () => {
    const find = (text: string) => findSources(sources, text).map(({ datapointId }) => datapointId)
    expect(find('KW roof')).toEqual(['charge', 'meter'])
    expect(find('charge inverter')).toEqual(['charge', 'soc'])
    expect(find('%')).toEqual(['soc'])
    expect(find('charge cellar')).toEqual([])
  })

  test('are in the address, in order, each once, at most eight', () => {
    const search = withSources(new URLSearchParams('range=7d&show=old'), ['device/soc', 'device/charge', 'device/soc'])
    expect(search.get('range')).toBe('7d')
    expect(shownSources(search, sources).map(sourceKey)).toEqual(['device/soc', 'device/charge'])
    const many = chartSearch(Array.from({ length: 20 }, (_, at) => ({ deviceId: 'd', datapointId: String(at) })))
    expect(shownSources(new URLSearchParams(many), sources)).toHaveLength(8)
    expect(shownSources(new URLSearchParams('show=x&show=/&show='), sources)).toEqual([])
  })

  test('stay in an address when they are no longer commissioned', () => {
    const [gone] = shownSources(new URLSearchParams('show=device/gone'), sources)
    expect(gone).toMatchObject({ deviceId: 'device', datapointId: 'gone', name: undefined, interval: undefined })
  })
})

describe('panels', () => {
  const units = (...of: (string | undefined)[]) =>
    panelsOf(of.map((unit) => ({ unit }))).map((panel) => [panel.units, panel.lines.length])

  test('have one axis per unit, two at most', () => {
    expect(units('kW', 'kW')).toEqual([[['kW'], 2]])
    expect(units('kW', '%', 'kW')).toEqual([[['kW', '%'], 3]])
    expect(units(undefined, '%')).toEqual([[[undefined, '%'], 2]])
  })

  test('are below each other for more units', () => {
    expect(units('kW', '%', '°C', '%')).toEqual([
      [['kW'], 1],
      [['%'], 2],
      [['°C'], 1],
    ])
    expect(units()).toEqual([])
  })
})
