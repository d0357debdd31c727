import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createSilentAddresses } from './silent-addresses.ts'

function start() {
  const clock = createManualClock()
  return { clock, silent: createSilentAddresses(clock) }
}

describe('a path that does not answer', () => {
  test('is paused, twice as long each time, up to five minutes', () => {
    const { clock, silent } = start()
    const rests: number[] = []
    for (let turn = 0; turn < 8; turn += 1) {
      silent.noteSilent('/a', 'no answer')
      expect([silent.reason('/a'), silent.isDue('/a')]).toEqual(['no answer', false])
      let seconds = 0
      for (; !silent.isDue('/a'); seconds += 1) clock.advanceNow(1000)
      rests.push(seconds)
    }
    expect(rests).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
  })

  test('affects no other path', () => {
    const { silent } = start()
    silent.noteSilent('/a', 'no answer')
    expect([silent.reason('/b'), silent.isDue('/b')]).toEqual([undefined, true])
  })

  test('is due again as soon as it has answered', () => {
    const { silent } = start()
    silent.noteSilent('/a', 'no answer')
    silent.noteAnswer('/a')
    expect([silent.reason('/a'), silent.isDue('/a')]).toEqual([undefined, true])
  })

  test('becomes due when another one has answered again', () => {
    const { silent } = start()
    silent.noteSilent('/a', 'no answer')
    silent.noteSilent('/b', 'no answer')
    silent.noteAnswer('/c')
    expect(silent.isDue('/b')).toBe(false)
    silent.noteAnswer('/a')
    expect([silent.reason('/b'), silent.isDue('/b')]).toEqual(['no answer', true])
  })

  test('is paused for longer if it soon falls silent again, and for 5 s if that was long ago', () => {
    const { clock, silent } = start()
    const restsFor = (ms: number) => {
      clock.advanceNow(ms - 1)
      expect(silent.isDue('/a')).toBe(false)
      clock.advanceNow(1)
      expect(silent.isDue('/a')).toBe(true)
    }
    silent.noteSilent('/a', 'no answer')
    silent.noteAnswer('/a')
    clock.advanceNow(60_000)
    silent.noteSilent('/a', 'no answer')
    restsFor(10_000)
    silent.noteAnswer('/a')
    clock.advanceNow(300_000)
    silent.noteSilent('/a', 'no answer')
    restsFor(5_000)
  })
})
