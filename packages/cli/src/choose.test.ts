import { describe, expect, test } from 'vitest'
import { choose } from './choose.ts'
import { UsageError } from './command.ts'

const POINTS = [
  { id: 'dp_1', name: 'Charge power', on: 'Inverter' },
  { id: 'dp_2', name: 'State of charge', on: 'Inverter' },
  { id: 'dp_3', name: 'State of charge', on: 'Spare battery' },
  { id: 'Charge power 2', name: 'dp_1', on: 'Spare battery' },
]
const chosen = (given: string) => choose(POINTS, given, ({ on }) => on)?.id

describe('what is meant by', () => {
  test('an id is that one, whatever else has it for a name', () => {
    expect(chosen('dp_1')).toBe('dp_1')
  })

  test('a name is the one that has it, to the letter', () => {
    expect(chosen('Charge power')).toBe('dp_1')
    expect(chosen('charge power')).toBeUndefined()
  })

  test('a name that two share is a question, with where each is', () => {
    expect(() => chosen('State of charge')).toThrow(
      new UsageError('State of charge is the name of 2: give the id, one of dp_2 (Inverter), dp_3 (Spare battery)'),
    )
  })

  test('a name that is known twice from two sources is no question', () => {
    expect(choose([...POINTS, ...POINTS], 'Charge power', () => '')?.id).toBe('dp_1')
  })

  test.each(['', 'dp_9', '__proto__'])('%j is nothing', (given) => {
    expect(chosen(given)).toBeUndefined()
  })
})
