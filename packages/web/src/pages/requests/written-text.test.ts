import { describe, expect, test } from 'vitest'
import { shorten } from './written-text.tsx'

const lines = (count: number, length = 5) => Array.from({ length: count }, () => 'x'.repeat(length)).join('\n')

describe('a text', () => {
  test.each([
    ['nothing', ''],
    ['a word', 'Leak'],
    ['40 lines', lines(40)],
  ])('of %s is shown whole', (_what, text) => {
    expect(shorten(text)).toBeUndefined()
  })

  test('of more lines is cut to the first 40', () => {
    expect(shorten(lines(41))).toEqual({ beginning: lines(40), hiddenLines: 1 })
    expect(shorten(lines(1000))?.hiddenLines).toBe(960)
  })

  test('of few long lines is cut between lines', () => {
    expect(shorten(lines(10, 1000))).toEqual({ beginning: lines(3, 1000), hiddenLines: 7 })
  })

  test('of one endless line is cut within it', () => {
    const cut = shorten('x'.repeat(1_000_000))
    expect(cut).toEqual({ beginning: 'x'.repeat(4000), hiddenLines: 0 })
  })

  test('is never cut within a character', () => {
    expect(shorten(`x${'😀'.repeat(5000)}`)?.beginning.endsWith('😀')).toBe(true)
  })
})
