import { expect, test } from 'vitest'
import { isKeptCarefully, type SecondSeen } from './testing/careful-oracle.ts'

const QUARTER_S = 900

/** A quarter of an hour with a load of 12 kW that runs from `from` on and may stop after 300 s, and a rise to `riseKw` at `riseAt`. */
const quarter = (about: { from: number; to: number; riseAt: number; riseKw: number; worstKw: number }): SecondSeen[] =>
  Array.from({ length: QUARTER_S }, (_, second) => {
    const fixedKw = second < about.riseAt ? 45 : about.riseKw
    const isOn = second >= about.from && second < about.to
    const onSeconds = Math.max(0, about.from + 300 - second)
    const running = isOn ? [{ id: 'heat pump', kw: 12, onSeconds }] : []
    return { fixedKw, worstKw: Math.max(about.worstKw, fixedKw), running }
  })

test('a rise to the stated worst case is always survived, however long the regulator runs the load', () => {
  for (const riseAt of [350, 400, 550, 700, 899]) {
    expect(isKeptCarefully(quarter({ from: 0, to: 900, riseAt, riseKw: 58, worstKw: 58 }), 60)).toBe(true)
  }
})

test('a rise above it is not, when the load may not stop any more', () => {
  const about = { from: 450, to: 900, riseAt: 460, worstKw: 58 }
  expect(isKeptCarefully(quarter({ ...about, riseKw: 58 }), 60)).toBe(true)
  expect(isKeptCarefully(quarter({ ...about, riseKw: 72 }), 60)).toBe(false)
})

test('a load that the worst case did not allow to start is not run, so that the miss was avoidable', () => {
  const about = { from: 450, to: 900, riseAt: 460, riseKw: 72 }
  expect(isKeptCarefully(quarter({ ...about, worstKw: 80 }), 60)).toBe(true)
})

test('a load that runs at the beginning and may not stop yet draws what it must', () => {
  const seconds = Array.from({ length: QUARTER_S }, (_, second): SecondSeen => {
    return { fixedKw: 58, worstKw: 58, running: [{ id: 'boiler', kw: 9, onSeconds: Math.max(0, 250 - second) }] }
  })
  expect(isKeptCarefully(seconds, 60)).toBe(false)
  expect(
    isKeptCarefully(
      seconds.map((one) => ({ ...one, fixedKw: 57, worstKw: 57 })),
      60,
    ),
  ).toBe(true)
})
