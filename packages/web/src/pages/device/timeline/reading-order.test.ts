import { expect, test } from 'vitest'
import { anOverride, minutes } from '../testing/examples.ts'
import { inReadingOrder } from './reading-order.ts'

test('lists the active override first and the latest queued one last', () => {
  const overrides = [
    anOverride({ id: 'late', from: minutes(90), state: 'queued' }),
    anOverride({ id: 'soon', from: minutes(30), state: 'queued' }),
    anOverride({ id: 'superseded', state: 'superseded' }),
    anOverride({ id: 'active' }),
  ]
  expect(inReadingOrder(overrides).map(({ id }) => id)).toEqual(['active', 'superseded', 'soon', 'late'])
})
