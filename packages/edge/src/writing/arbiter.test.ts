import type { ReportReason } from '@plantroom/contract/reports'
import { HOLDING_WRITERS, type HoldingWriter } from '@plantroom/contract/writers'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { aControlRig, type ControlRig } from '../testing/control-rig.ts'

const PLAIN = 10
const VALUE = { 'demand-response': 40, 'peak-shaving': 30, deviation: 20 } as const

const aRig = () => aControlRig([aDatapoint({ id: 'power', accessType: 'READ_WRITE' })], { power: PLAIN })

async function setClaim(
  rig: ControlRig,
  by: HoldingWriter,
  isStated: boolean,
  reason: ReportReason = 'ended',
): Promise<void> {
  const claim = isStated ? { by, want: { value: VALUE[by] } } : undefined
  await rig.commits.record((to) => rig.arbiter.decide(to, 'power', by, claim, reason))
  await rig.settle()
}

const ALL_COMBINATIONS: HoldingWriter[][] = [
  [],
  ['deviation'],
  ['peak-shaving'],
  ['peak-shaving', 'deviation'],
  ['demand-response'],
  ['demand-response', 'deviation'],
  ['demand-response', 'peak-shaving'],
  ['demand-response', 'peak-shaving', 'deviation'],
]

describe('demand response outranks peak shaving, which outranks a schedule, which outranks the plain value', () => {
  const cases = ALL_COMBINATIONS.flatMap((writers) =>
    HOLDING_WRITERS.map((by) => [writers.join(' + ') || 'no writer', by, writers] as const),
  )

  test.each(cases)('%s holds, then %s claims and withdraws', async (_, by, writers) => {
    const rig = await aRig()
    for (const other of writers) await setClaim(rig, other, true)
    const expectHighestOf = (claims: readonly HoldingWriter[]) => {
      const highest = HOLDING_WRITERS.find((writer) => claims.includes(writer))
      expect(rig.equipment.points.get('power')).toBe(highest ? VALUE[highest] : PLAIN)
      expect(rig.shown('power').lockedBy).toBe(highest)
      expect(rig.shown('power').deviationActivated).toBe(highest === 'deviation' ? true : undefined)
    }
    expectHighestOf(writers)
    await setClaim(rig, by, true)
    expectHighestOf([...writers, by])
    await setClaim(rig, by, false)
    expectHighestOf(writers.filter((other) => other !== by))
    for (const other of writers) await setClaim(rig, other, false)
    expectHighestOf([])
    expect(rig.arbiter.isHeld('power')).toBe(false)
  })

  test('each change of the holder has a released and an applied entry under the codes of the writers', async () => {
    const rig = await aRig()
    for (const by of HOLDING_WRITERS.toReversed()) await setClaim(rig, by, true)
    await setClaim(rig, 'peak-shaving', false)
    await setClaim(rig, 'demand-response', false, 'cancelled')
    await setClaim(rig, 'deviation', false)
    const lines = rig
      .entries()
      .map((entry) => `${entry.code} ${entry.phase} (${entry.reason}) ${entry.valueBefore} > ${entry.value}`)
    expect(lines).toEqual([
      '4001 applied (window) 10 > 20',
      '4001 released (superseded) 10 > 30',
      '4000 applied (window) 20 > 30',
      '4000 released (superseded) 20 > 40',
      '4005 applied (window) 30 > 40',
      '4005 released (cancelled) 30 > 20',
      '4001 applied (window) 40 > 20',
      '4001 released (ended) 40 > 10',
    ])
  })
})

describe('a claim', () => {
  test('is written once, however often it is stated', async () => {
    const rig = await aRig()
    for (let round = 0; round < 5; round += 1) {
      rig.arbiter.claim('power', 'deviation', { value: 20 })
      await rig.settle()
    }
    expect(rig.equipment.writes).toEqual([{ id: 'power', raw: 20 }])
    expect(rig.arbiter.claims('power')).toEqual({ deviation: { by: 'deviation', want: { value: 20 } } })
  })

  test('that is stated and withdrawn in one transaction writes nothing, and both are reported', async () => {
    const rig = await aRig()
    rig.arbiter.claim('power', 'deviation', { value: 20 })
    rig.arbiter.claim('power', 'deviation', undefined)
    await rig.settle()
    expect(rig.equipment.writes).toEqual([])
    expect(rig.entries().map(({ phase, value }) => [phase, value])).toEqual([
      ['applied', 20],
      ['released', null],
    ])
    expect(rig.arbiter.isHeld('power')).toBe(false)
  })

  test("with an offset is relative to the plain value, not to another writer's setpoint", async () => {
    const rig = await aRig()
    await setClaim(rig, 'demand-response', true)
    rig.arbiter.claim('power', 'deviation', { offset: 3 })
    await setClaim(rig, 'demand-response', false)
    expect(rig.equipment.points.get('power')).toBe(13)
    expect(rig.shown('power')).toMatchObject({ deviationActivated: true, deviationCachedValue: 10 })
  })

  test('by a schedule on a missing datapoint changes nothing, and an existing hold stays', async () => {
    const rig = await aRig()
    await setClaim(rig, 'demand-response', true)
    await rig.connections.apply(aSystem('sys', []))
    rig.arbiter.claim('power', 'deviation', { value: 20 })
    await rig.settle()
    expect(rig.arbiter.claims('power')).toHaveProperty('demand-response')
    expect(rig.arbiter.claims('power')).not.toHaveProperty('deviation')
  })

  test('on a datapoint that is no longer commissioned is dropped, and its pending entries are sent', async () => {
    const rig = await aRig()
    rig.equipment.reading = new Promise(() => {})
    await setClaim(rig, 'deviation', true)
    await rig.connections.apply(aSystem('sys', [aConnection({ datapoints: [aDatapoint({ id: 'other' })] })]))
    await setClaim(rig, 'deviation', false)
    expect(rig.arbiter.isHeld('power')).toBe(false)
    expect(rig.entries().map(({ phase }) => phase)).toEqual(['applied', 'write-failed'])
  })
})
