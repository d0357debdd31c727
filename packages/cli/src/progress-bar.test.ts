import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { barLine, createProgressBar } from './progress-bar.ts'

function started(terminal: { isTTY?: boolean; columns?: number }) {
  const clock = createManualClock()
  const written: string[] = []
  const bar = createProgressBar({ stream: { ...terminal, write: (text: string) => written.push(text) }, clock })
  return { clock, written, bar }
}

describe('a progress bar', () => {
  test('is hidden for the first half second', () => {
    const { clock, written, bar } = started({ isTTY: true })
    bar.show('checking', 1, 10)
    clock.advanceNow(499)
    bar.show('checking', 2, 10)
    expect(written).toEqual([])
    clock.advanceNow(1)
    bar.show('checking', 3, 10)
    expect(written).toHaveLength(1)
  })

  test('redraws at most ten times a second', () => {
    const { clock, written, bar } = started({ isTTY: true })
    clock.advanceNow(500)
    for (let ms = 0; ms < 1000; ms += 1) {
      bar.show('checking', ms, 1000)
      clock.advanceNow(1)
    }
    expect(written).toHaveLength(10)
  })

  test('clears its line once', () => {
    const { clock, written, bar } = started({ isTTY: true })
    clock.advanceNow(500)
    bar.show('checking', 1, 2)
    bar.clear()
    bar.clear()
    expect(written).toEqual([`\r\x1B[Kchecking [${'#'.repeat(20)}${'-'.repeat(20)}]  50 %`, '\r\x1B[K'])
  })

  test('is hidden again for half a second after it was cleared', () => {
    const { clock, written, bar } = started({ isTTY: true })
    clock.advanceNow(500)
    bar.clear()
    bar.show('next', 1, 2)
    clock.advanceNow(499)
    bar.show('next', 1, 2)
    expect(written).toEqual([])
    clock.advanceNow(1)
    bar.show('next', 1, 2)
    expect(written).toHaveLength(1)
  })

  test('writes nothing to a pipe', () => {
    const { clock, written, bar } = started({ columns: 80 })
    clock.advanceNow(1000)
    bar.show('checking', 1, 2)
    bar.clear()
    expect(written).toEqual([])
  })

  test.each([
    [100, 'site.fpl: checking the files'],
    [undefined, 'site.fpl: checking the files'],
    [20, 'site.fpl: checking the files'],
    [1, 'site.fpl'],
  ])('fits a terminal of %s columns, with room for a ^C printed by the terminal', (columns, label) => {
    const { clock, written, bar } = started({ isTTY: true, ...(columns !== undefined && { columns }) })
    clock.advanceNow(500)
    bar.show(label, 9, 10)
    expect(written[0]?.replace('\r\x1B[K', '').length).toBeLessThanOrEqual(Math.max(0, (columns ?? 80) - 3))
  })
})

describe('the line of a progress bar', () => {
  test.each([
    [0, 10, 'a [----------]   0 %'],
    [5, 10, 'a [#####-----]  50 %'],
    [999, 1000, 'a [##########]  99 %'],
    [10, 10, 'a [##########] 100 %'],
    [20, 10, 'a [##########] 100 %'],
    [0, 0, 'a [----------]   0 %'],
  ])('at %d of %d', (done, total, line) => {
    expect(barLine('a', done, total, 20)).toBe(line)
  })

  test('has a limited length on a wide terminal', () => {
    expect(barLine('a', 0, 1, 500)).toBe(`a [${'-'.repeat(40)}]   0 %`)
  })

  test.each([
    [24, 'checking the files  50 %'],
    [18, 'checking th…  50 %'],
    [7, '…  50 %'],
    [6, '  50 %'],
    [5, ''],
    [0, ''],
    [-1, ''],
  ])('in %d columns drops the bar, then the label, then everything', (columns, line) => {
    expect(barLine('checking the files', 1, 2, columns)).toBe(line)
  })

  test('counts two columns for wide characters', () => {
    expect(barLine('報告書', 1, 2, 10)).toBe('報…  50 %')
  })
})
