import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { createCountingListener } from '../testing/counting-listener.ts'
import { MAX_DELAY_MS } from './current-request.ts'
import { never, useBench } from './testing/bench.ts'
import type { PeerRequest } from './testing/scripted-peer.ts'

const bench = useBench()

const POINT = { power: { register: 100, type: 'uint16' }, limit: { register: 200, type: 'uint16' } }
const SLOW = 9
const TIMEOUT_MS = 1000

/** Answers every unit but the slow one, whose requests are returned. Register 100 of unit n holds n. */
function serve(): { slow: PeerRequest[]; written: string[] } {
  const slow: PeerRequest[] = []
  const written: string[] = []
  bench.peer.serve((request) => {
    if (request.unitId === SLOW) slow.push(request)
    else answer(request)
    if (request.functionCode > 4) written.push(`${request.unitId}: ${request.count}`)
  })
  return { slow, written }
}

function answer(request: PeerRequest): void {
  if (request.functionCode > 4) request.answer([request.functionCode, ...request.body.subarray(0, 4)])
  else request.answerRegisters(...Array.from({ length: request.count }, () => request.unitId))
}

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ kind }) => kind as string,
  )

/** Resolves with the work, for which the timeout of the waiting unit must be enough time. */
async function inOneTimeout<Result>(work: Promise<Result>): Promise<Result> {
  bench.clock.advanceNow(TIMEOUT_MS)
  return work
}

describe('a unit that does not answer, with a timeout of a minute', () => {
  async function openBoth() {
    const served = serve()
    const slow = await bench.open(POINT, { unitId: SLOW, timeoutMs: 60_000 })
    const other = await bench.open(POINT, { unitId: 1, timeoutMs: TIMEOUT_MS })
    expect(await other.read(['power'])).toEqual([{ raw: 1 }])
    return { ...served, slowDriver: slow, other }
  }

  test.each([
    ['a release', { release: true }],
    ['a setpoint', {}],
  ])('delays %s of another unit by the timeout of that unit at most', async (_, options) => {
    const { slow, slowDriver, other, written } = await openBoth()
    void slowDriver.read(['power']).catch(() => {})
    await eventually(() => expect(slow).toHaveLength(1))
    await inOneTimeout(other.write('power', 7, options))
    expect(written).toEqual(['1: 7'])
  })

  test('delays the reading that confirms a write no longer either', async () => {
    const { slow, slowDriver, other } = await openBoth()
    void slowDriver.read(['power']).catch(() => {})
    await eventually(() => expect(slow).toHaveLength(1))
    expect(await inOneTimeout(other.read(['power'], { urgent: true }))).toEqual([{ raw: 1 }])
  })

  test('delays a release of another unit no longer with a write of its own, which may have arrived', async () => {
    const { slow, slowDriver, other, written } = await openBoth()
    const outcome = outcomeOf(slowDriver.write('power', 5))
    await eventually(() => expect(slow).toHaveLength(1))
    await inOneTimeout(other.write('power', 7, { release: true }))
    expect(await outcome).toBe('offline')
    expect(written).toEqual(['9: 5', '1: 7'])
  })

  test('delays a write by 3 s at most, however long the timeout of that unit is', async () => {
    const { slow, slowDriver } = await openBoth()
    const patient = await bench.open(POINT, { unitId: 2, timeoutMs: 60_000 })
    void slowDriver.read(['power']).catch(() => {})
    await eventually(() => expect(slow).toHaveLength(1))
    const writing = patient.write('power', 7)
    bench.clock.advanceNow(MAX_DELAY_MS)
    await writing
  })

  test('keeps its own writes in order', async () => {
    const { slow, slowDriver } = await openBoth()
    const first = slowDriver.write('power', 5)
    const second = slowDriver.write('power', 6, { release: true })
    await eventually(() => expect(slow).toHaveLength(1))
    await bench.clock.advance(10 * MAX_DELAY_MS)
    expect(slow).toHaveLength(1)
    answer(slow[0] as PeerRequest)
    await first
    await eventually(() => expect(slow).toHaveLength(2))
    answer(slow[1] as PeerRequest)
    await second
  })

  test('is still found silent in its own time while others write', async () => {
    const { slow, slowDriver, other } = await openBoth()
    const reading = outcomeOf(slowDriver.read(['power']))
    for (let turn = 1; turn <= 60; turn += 1) {
      await eventually(() => expect(slow).toHaveLength(turn))
      await inOneTimeout(other.write('power', turn))
    }
    await eventually(() => expect(slow).toHaveLength(61))
    bench.clock.advanceNow(1)
    expect(await reading).toBe('offline')
  })
})

describe('a slow but correct unit', () => {
  test('loses no reading to a write that could not wait, and is not counted as silent', async () => {
    const { slow } = serve()
    const events = createCountingListener()
    const slowDriver = bench.protocol.connect(bench.connection(POINT, { unitId: SLOW, timeoutMs: 60_000 }), events)
    await slowDriver.open(never)
    const other = await bench.open(POINT, { unitId: 1 })
    const reading = slowDriver.read(['power'])
    await eventually(() => expect(slow).toHaveLength(1))
    await inOneTimeout(other.write('power', 7, { release: true }))
    await eventually(() => expect(slow).toHaveLength(2))
    // The answer to the first request is late, and must not reach anybody.
    answer(slow[0] as PeerRequest)
    bench.clock.advanceNow(20_000)
    answer(slow[1] as PeerRequest)
    expect(await reading).toEqual([{ raw: SLOW }])
    expect(events).toMatchObject({ timeouts: 0, exceptions: 0, losses: [] })
    await slowDriver.close()
  })

  test('is waited for as long as it usually takes', async () => {
    const { slow } = serve()
    const slowDriver = await bench.open(POINT, { unitId: SLOW, timeoutMs: 60_000 })
    const other = await bench.open(POINT, { unitId: 1, timeoutMs: 100 })
    const first = slowDriver.read(['power'])
    await eventually(() => expect(slow).toHaveLength(1))
    bench.clock.advanceNow(900)
    answer(slow[0] as PeerRequest)
    await first
    const second = slowDriver.read(['power'])
    await eventually(() => expect(slow).toHaveLength(2))
    const writing = other.write('power', 7)
    await bench.clock.advance(900)
    answer(slow[1] as PeerRequest)
    expect(await second).toEqual([{ raw: SLOW }])
    await writing
    expect(bench.peer.accepted()).toBe(1)
  })
})

describe('a pause that a unit needs after the connection', () => {
  test('does not delay a write of another unit that needs none', async () => {
    const { slow, written } = serve()
    const slowDriver = await bench.open(POINT, { unitId: SLOW, connectDelayMs: 60_000 })
    const other = await bench.open(POINT, { unitId: 1 })
    void slowDriver.read(['power']).catch(() => {})
    await inOneTimeout(other.write('power', 7, { release: true }))
    expect(written).toEqual(['1: 7'])
    expect(slow).toEqual([])
    expect(bench.peer.accepted()).toBe(1)
  })
})
