import { describe, expect, test } from 'vitest'
import { choose, countChoices, EVERYTHING, type MissingChoices, optionsOf, USUAL } from './choices.ts'

const NAMES = { units: ['A', 'B', 'C'], people: ['a@x.ee'], tags: ['t', 'u'] }
const withUnits = (units: MissingChoices['units']): MissingChoices => ({ ...USUAL, units })

describe('the options of an import', () => {
  test('are absent while nothing differs from what an import does by itself', () => {
    expect(optionsOf(USUAL, NAMES)).toBeUndefined()
    expect(optionsOf(withUnits(choose(USUAL.units, 'A', 'leave')), NAMES)).toBeUndefined()
    expect(optionsOf({ ...USUAL, units: { ...USUAL.units, create: true } }, { ...NAMES, units: [] })).toEqual({
      units: { create: true },
    })
  })

  test('that the page proposes create everything, so that nothing is lost', () => {
    expect(optionsOf(EVERYTHING, NAMES)).toEqual({ units: { create: true }, people: { create: true } })
    for (const kind of ['units', 'people', 'tags'] as const)
      expect(countChoices(EVERYTHING[kind], NAMES[kind]).left).toBe(0)
  })

  test('create all names except those with a choice of their own', () => {
    const units = choose(choose({ ...USUAL.units, create: true }, 'A', { id: 'unit_1' }), 'B', 'leave')
    expect(optionsOf(withUnits(units), NAMES)).toEqual({
      units: { create: true, map: { A: 'unit_1' }, leave: ['B'] },
    })
    expect(countChoices(units, NAMES.units)).toEqual({ created: 1, mapped: 1, left: 1 })
  })

  test('create a single name by leaving the others', () => {
    expect(optionsOf(withUnits(choose(USUAL.units, 'B', 'create')), NAMES)).toEqual({
      units: { create: true, leave: ['A', 'C'] },
    })
  })

  test('map a name without creating any, and leave tags out', () => {
    const choices = { ...withUnits(choose(USUAL.units, 'A', { id: 'unit_1' })), tags: { ...USUAL.tags, create: false } }
    expect(optionsOf(choices, NAMES)).toEqual({
      units: { create: false, map: { A: 'unit_1' } },
      tags: { create: false },
    })
  })

  test('follow the others again once a choice is taken back', () => {
    const units = choose(choose(USUAL.units, 'A', 'create'), 'A', 'all')
    expect(optionsOf(withUnits(units), NAMES)).toBeUndefined()
  })
})
