import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Reading } from '../driver.ts'
import { useBench } from './testing/bench.ts'
import { errorsIn, expectedOf, type FaultyPeer, pollFor, rowOf, serveFaults } from './testing/faulty-peer.ts'

const TIMEOUT_MS = 1000

const bench = useBench()
let peer: FaultyPeer
beforeEach(() => {
  peer = serveFaults(bench)
})

describe('many registers that do not answer', () => {
  test('delay no call by more than one timeout and two seconds', async () => {
    const points = rowOf(600)
    const ids = Object.keys(points)
    const driver = await bench.open(points)
    await driver.read(ids)
    for (let register = 0; register < 600; register += 2) peer.silent.add(register)
    const expected = expectedOf(points, peer.silent)
    let calls = 0
    let readings: readonly Reading[] = []
    while (errorsIn(readings) !== 300) {
      const before = peer.wastedMs
      readings = await driver.read(ids)
      expect(peer.wastedMs - before).toBeLessThan(TIMEOUT_MS + 2000 + 500)
      calls += 1
      expect(calls).toBeLessThan(100)
    }
    expect(readings).toEqual(expected)
    // Once all are known, a poll waits for at most one short retry, and sometimes for a full timeout.
    const before = peer.wastedMs
    expect(await pollFor(bench, driver, ids, 10)).toEqual(expected)
    expect(peer.wastedMs - before).toBeLessThanOrEqual(10 * 60 + TIMEOUT_MS)
  })
})

describe('equipment that does not answer long requests', () => {
  test('is read in parts that it can answer, and rarely asked for longer ones', async () => {
    const points = rowOf(100)
    const ids = Object.keys(points)
    const driver = await bench.open(points)
    const counts: number[] = []
    bench.peer.serve((request) => {
      const { address, count } = request
      counts.push(count)
      if (count > 30) bench.clock.advanceNow(bench.clock.waiting()[0] ?? 0)
      else request.answerRegisters(...Array.from({ length: count }, (_, index) => address + index))
    })
    const expected = expectedOf(points, new Set())
    // The first two polls find out which parts can be merged.
    for (let poll = 0; poll < 2; poll += 1) expect(await driver.read(ids)).toEqual(expected)
    counts.length = 0
    for (let second = 0; second < 60; second += 1) expect(await pollFor(bench, driver, ids, 1)).toEqual(expected)
    expect(counts.filter((count) => count <= 30)).toHaveLength(60 * 4)
    expect(counts.filter((count) => count > 30).length).toBeLessThanOrEqual(60)
  })
})

describe('any mix of silent and refusing registers', () => {
  const COUNT = 60
  const registers = fc.uniqueArray(fc.nat(COUNT - 1), { maxLength: 20 })

  test('costs only their own values, with a bounded number of requests, and all recover', {
    timeout: 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(registers, registers, fc.constantFrom(1, 2, 3, 4, 6), async (silent, refused, exception) => {
        peer.silent.clear()
        peer.refused.clear()
        const points = rowOf(COUNT)
        const ids = Object.keys(points)
        const driver = await bench.open(points)
        for (const register of silent) peer.silent.add(register)
        for (const register of refused) peer.refused.set(register, exception)
        const bad = new Set([...silent, ...refused])
        // If too few registers answer, the first reads may consider the whole unit silent.
        for (let turn = 0; turn < 8; turn += 1) {
          peer.frames.length = 0
          await driver.read(ids).catch(() => {})
          expect(peer.frames.length).toBeLessThan(5 * COUNT)
          bench.clock.advanceNow(1000)
        }
        expect(await driver.read(ids)).toEqual(expectedOf(points, bad))

        peer.silent.clear()
        peer.refused.clear()
        const readings = await pollFor(bench, driver, ids, 25)
        expect(readings).toEqual(expectedOf(points, new Set()))
        peer.frames.length = 0
        await driver.read(ids)
        expect(peer.frames).toEqual([`read 1:0+${COUNT}`])
        await driver.close()
      }),
      cases(20),
    )
  })

  test('delays a release by no more than the request in progress', {
    timeout: 60_000,
  }, async () => {
    const points = rowOf(COUNT)
    const ids = Object.keys(points)
    await fc.assert(
      fc.asyncProperty(
        registers,
        registers,
        fc.nat(80),
        fc.nat(COUNT - 1),
        async (silent, refused, moment, written) => {
          peer.silent.clear()
          peer.refused.clear()
          const driver = await bench.open(points)
          for (const register of silent) peer.silent.add(register)
          for (const register of refused) peer.refused.set(register, 4)
          peer.frames.length = 0
          let releasing: Promise<void> | undefined
          peer.onFrame = () => {
            if (peer.frames.length === moment) releasing = driver.write(`r${written}`, written, { release: true })
          }
          for (let turn = 0; turn < 4; turn += 1) {
            await driver.read(ids).catch(() => {})
            await releasing
            bench.clock.advanceNow(1000)
          }
          if (releasing) expect(peer.frames[moment]).toBe(`write 1:${written}=${written}`)
          await driver.close()
        },
      ),
      cases(20),
    )
  })
})
