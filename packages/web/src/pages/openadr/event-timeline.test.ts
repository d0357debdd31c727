import { expect, test } from 'vitest'
import { timelineOf } from './event-timeline.ts'
import { anEvent, aPlacement, minutes } from './testing/examples.ts'

const sites = new Map([['site', 'School']])
const meaningOf = (_program: string, type: string) => (type === 'PRICE' ? 'price' : 'setpoint')

test('has a row for each target, with the intervals of all events', () => {
  const later = anEvent({
    id: 'evt_2',
    placements: [
      aPlacement({ id: 'plc_2', from: minutes(60), to: minutes(75), state: 'queued', value: 10, outcomes: [] }),
      aPlacement({
        id: 'plc_3',
        kind: 'limit',
        direction: 'import',
        datapointId: null,
        state: 'refused',
        outcomes: [],
      }),
    ],
  })
  const { items, names } = timelineOf([anEvent(), later], sites, meaningOf)
  expect(items.map(({ row, label, look }) => [names.get(row), label, look])).toEqual([
    ['Charge power, battery', '20\u00A0kW', 'active'],
    ['Charge power, battery', '10', 'queued'],
    ['Power from the grid at School, battery', '20\u00A0kW', 'failed'],
  ])
})

test('shows what could not be placed at all, but neither prices nor information', () => {
  const unknown = anEvent({ placements: [], problems: ['the profile does not know HEAT'] })
  const payloads = [{ type: 'PRICE', unit: null, values: ['0.2'] }]
  const price = anEvent({
    id: 'evt_2',
    placements: [],
    problems: ['PRICE is not acted on'],
    intervals: [{ from: minutes(0), to: minutes(60), payloads }],
  })
  const { items, names } = timelineOf([unknown, price], sites, meaningOf)
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({ look: 'failed', label: '20' })
  expect([...names.values()]).toEqual(['DISPATCH_SETPOINT, Grid company'])
})

test('leaves out what has no time', () => {
  const event = anEvent({ placements: [], problems: ['it has no intervals'], intervals: [], to: null })
  expect(timelineOf([event], sites, meaningOf).items).toEqual([])
})
