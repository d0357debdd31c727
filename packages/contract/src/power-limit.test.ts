import { describe, expect, test } from 'vitest'
import { isKept } from './power-limit.ts'

const after = (seconds: number) => new Date(Date.UTC(2030, 0, 1) + seconds * 1000).toISOString()
const anInterval = (more: Partial<Parameters<typeof isKept>[0]>) => ({
  ...{ from: after(0), to: after(900), limitKw: 60, meanKw: 60, coverage: 100 },
  ...more,
})

describe('whether an interval kept its limit', () => {
  test.each([
    ['its mean is at the limit', {}, true],
    ['its mean is above it', { meanKw: 60.001 }, false],
    ['half of it was read', { coverage: 50, meanKw: 61 }, false],
    ['less was read', { coverage: 49, meanKw: 61 }, undefined],
    ['nothing was read', { coverage: 0, meanKw: null }, undefined],
    ['it is a minute long', { to: after(60), meanKw: 61 }, false],
    ['it is too short for loads and meter to react', { to: after(59), meanKw: 61 }, undefined],
  ])('when %s', (_when, about, expected) => {
    expect(isKept(anInterval(about))).toBe(expected)
  })
})
