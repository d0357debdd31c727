import { eventually } from '@plantroom/testkit/eventually'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { airHandlingUnit, type Bench, startBench } from './testing/bench.ts'

let bench: Bench
beforeEach(async () => {
  bench = await startBench(airHandlingUnit())
})
afterEach(() => bench.stop())

/** Makes the server ignore requests for one point. Resolves when it has received one. */
function ignore(name: string) {
  let received = 0
  bench.server.play(({ path }, _, obey) => {
    if (path.includes(`points/${name}/`)) received += 1
    else obey()
  })
  return (count: number) => eventually(() => expect(received).toBe(count))
}

describe('a request that gets no answer for a minute', () => {
  test.each(['read', 'write'] as const)('delays a release of another point by 3 s at most: a %s', async (kind) => {
    const driver = await bench.open(undefined, { timeoutMs: 60_000 })
    await driver.read(['stage', 'supply'])
    const received = ignore('stage')
    const hanging = kind === 'read' ? driver.read(['stage'], { urgent: true }) : driver.write('stage', 5)
    hanging.catch(() => {})
    await received(1)
    const release = driver.write('supply', 19, { release: true })
    bench.clock.advanceNow(3000)
    await release
    expect(bench.held('supply')).toBe('19')
  })

  test('still delays a release of the same point, which would arrive in any order', async () => {
    const driver = await bench.open(undefined, { timeoutMs: 60_000 })
    await driver.read(['stage', 'supply'])
    const received = ignore('stage')
    const setpoint = driver.write('stage', 5).catch(({ kind }) => kind)
    await received(1)
    const release = driver.write('stage', 3, { release: true })
    const other = driver.write('supply', 19)
    bench.clock.advanceNow(3000)
    await other
    await received(1)
    bench.server.play(undefined)
    bench.clock.advanceNow(57_000)
    expect(await setpoint).toBe('offline')
    await release
    expect(bench.held('stage')).toBe('3')
  })
})
