import { describe, expect, test } from 'vitest'
import { isLetterPress, isPalettePress, shortcutOf } from './shortcuts.ts'

const press = (key: string, changes: object = {}) => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false },
  ...changes,
})
/** A place inside the given elements. */
const inside = (...tags: string[]) => ({
  closest: (selector: string) => tags.some((tag) => selector.split(', ').includes(tag)),
})
const page = inside()

describe('shortcuts of letters', () => {
  test('are one key, or two within a moment', () => {
    expect(shortcutOf(undefined, { key: '?', at: 0 })).toBe('help')
    expect(shortcutOf(undefined, { key: 'r', at: 0 })).toBeUndefined()
    expect(shortcutOf({ key: 'g', at: 0 }, { key: 'r', at: 1000 })).toBe('requests')
    expect(shortcutOf({ key: 'g', at: 0 }, { key: 'r', at: 5000 })).toBeUndefined()
    expect(shortcutOf({ key: 'x', at: 0 }, { key: 'r', at: 10 })).toBeUndefined()
  })

  test.each([['input'], ['textarea'], ['select'], ['[role="textbox"]'], ['[role="dialog"]'], ['[role="menu"]']])(
    'never fire in %s',
    (tag) => {
      expect(isLetterPress(press('?'), page)).toBe(true)
      expect(isLetterPress(press('?'), inside(tag))).toBe(false)
    },
  )

  test.each([
    ['with Ctrl', { ctrlKey: true }],
    ['with Cmd', { metaKey: true }],
    ['with Alt', { altKey: true }],
    ['held down', { repeat: true }],
    ['of an input method', { isComposing: true }],
    ['that something else has used', { defaultPrevented: true }],
  ])('are no keys %s', (_how, changes) => {
    expect(isLetterPress(press('g', changes), page)).toBe(false)
  })
})

test('Ctrl+K and Cmd+K open the palette, with Caps Lock too, and not in a field or a dialog', () => {
  expect(isPalettePress(press('k', { ctrlKey: true }), page)).toBe(true)
  expect(isPalettePress(press('K', { metaKey: true }), page)).toBe(true)
  expect(isPalettePress(press('k'), page)).toBe(false)
  expect(isPalettePress(press('k', { ctrlKey: true, altKey: true }), page)).toBe(false)
  expect(isPalettePress(press('k', { ctrlKey: true }), inside('input'))).toBe(false)
  expect(isPalettePress(press('k', { ctrlKey: true }), inside('[role="dialog"]'))).toBe(false)
})
