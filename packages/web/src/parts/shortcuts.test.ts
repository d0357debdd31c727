import { describe, expect, test } from 'vitest'
import { isPressed } from './shortcuts.ts'

const press = (key: string, changes: object = {}) => ({
  ...{ key, timeStamp: 0, ctrlKey: false, metaKey: false, altKey: false },
  ...changes,
})
/** A place inside the given elements. */
const inside = (...tags: string[]) => ({
  closest: (selector: string) => tags.some((tag) => selector.split(', ').includes(tag)),
})
const page = inside()
const FIELD = 'input:not([type="checkbox"])'
const HELP = { keys: ['?'] } as const
const REQUESTS = { keys: ['g', 'r'] } as const
const PALETTE = { keys: ['k'], control: true, inFields: true } as const

describe('a shortcut', () => {
  test('is one key, or two within a moment', () => {
    expect(isPressed(HELP, press('?'), page)).toBe(true)
    expect(isPressed(REQUESTS, press('r'), page)).toBe(false)
    expect(isPressed(REQUESTS, press('r', { timeStamp: 1000 }), page, { key: 'g', at: 0 })).toBe(true)
    expect(isPressed(REQUESTS, press('r', { timeStamp: 5000 }), page, { key: 'g', at: 0 })).toBe(false)
    expect(isPressed(REQUESTS, press('r', { timeStamp: 10 }), page, { key: 'x', at: 0 })).toBe(false)
  })

  test.each([[FIELD], ['textarea'], ['select'], ['[role="textbox"]'], ['[role="dialog"]'], ['[role="menu"]']])(
    'of a letter never fires in %s',
    (tag) => {
      expect(isPressed(HELP, press('?'), page)).toBe(true)
      expect(isPressed(HELP, press('?'), inside(tag))).toBe(false)
    },
  )

  test.each([
    ['with Ctrl', { ctrlKey: true }],
    ['with Cmd', { metaKey: true }],
    ['with Alt', { altKey: true }],
    ['held down', { repeat: true }],
    ['of an input method', { isComposing: true }],
    ['that something else has used', { defaultPrevented: true }],
  ])('is no key %s', (_how, changes) => {
    expect(isPressed(HELP, press('?', changes), page)).toBe(false)
  })

  test('with Ctrl or Cmd also works with Caps Lock and in fields that allow it, and not in a dialog', () => {
    expect(isPressed(PALETTE, press('k', { ctrlKey: true }), page)).toBe(true)
    expect(isPressed(PALETTE, press('K', { metaKey: true }), page)).toBe(true)
    expect(isPressed(PALETTE, press('k', { ctrlKey: true }), inside(FIELD))).toBe(true)
    expect(isPressed(PALETTE, press('k'), page)).toBe(false)
    expect(isPressed(PALETTE, press('k', { ctrlKey: true, altKey: true }), page)).toBe(false)
    expect(isPressed(PALETTE, press('k', { ctrlKey: true }), inside('[role="dialog"]'))).toBe(false)
  })
})
