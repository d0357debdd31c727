import type { ReportReason } from '@plantroom/contract/reports'
import { HOLDING_WRITERS, type HoldingWriter } from '@plantroom/contract/writers'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { aControlRig, type ControlRig } from '../testing/control-rig.ts'

const PLAIN = 10
const VALUE = { 'demand-response': 40, 'peak-shaving': 30, deviation: 20 } as const

const aRig = () => aControlRig([aDatapoint({ id: 'power', accessType: 'READ_WRITE' })], { power: PLAIN })

async function say(rig: ControlRig, by: HoldingWriter, stands: boolean, reason: ReportReason = 'ended'): Promise<void> {
  const claim = stands ? { by, want: { value: VALUE[by] } } : undefined
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

describe('demand response goes before peak shaving, that before a deviation, that before the plain value', () => {
  const cases = ALL_COMBINATIONS.flatMap((standing) =>
    HOLDING_WRITERS.map((by) => [standing.join(' + ') || 'nobody', by, standing] as const),
  )

  test.each(cases)('%s, then %s comes and goes', async (_, by, standing) => {
    const rig = await aRig()
    for (const other of standing) await say(rig, other, true)
    const expectWinnerOf = (claims: readonly HoldingWriter[]) => {
      const winner = HOLDING_WRITERS.find((writer) => claims.includes(writer))
      expect(rig.equipment.points.get('power')).toBe(winner ? VALUE[winner] : PLAIN)
      expect(rig.shown('power').lockedBy).toBe(winner)
      expect(rig.shown('power').deviationActivated).toBe(winner === 'deviation' ? true : undefined)
    }
    expectWinnerOf(standing)
    await say(rig, by, true)
    expectWinnerOf([...standing, by])
    await say(rig, by, false)
    expectWinnerOf(standing.filter((other) => other !== by))
    for (const other of standing) await say(rig, other, false)
    expectWinnerOf([])
    expect(rig.arbiter.isHeld('power')).toBe(false)
  })

  test('each change is one entry of who goes and one of who comes, under the code of each', async () => {
    const rig = await aRig()
    for (const by of HOLDING_WRITERS.toReversed()) await say(rig, by, true)
    await say(rig, 'peak-shaving', false)
    await say(rig, 'demand-response', false, 'cancelled')
    await say(rig, 'deviation', false)
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
  test('that is stated again and again is written once', async () => {
    const rig = await aRig()
    for (let round = 0; round < 5; round += 1) {
      rig.arbiter.claim('power', 'deviation', { value: 20 })
      await rig.settle()
    }
    expect(rig.equipment.writes).toEqual([{ id: 'power', raw: 20 }])
    expect(rig.arbiter.claims('power')).toEqual({ deviation: { by: 'deviation', want: { value: 20 } } })
  })

  test('that comes and goes within one transaction touches nothing, and both are told', async () => {
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

  test('of an offset is held relative to the plain value, not to what stood there for somebody else', async () => {
    const rig = await aRig()
    await say(rig, 'demand-response', true)
    rig.arbiter.claim('power', 'deviation', { offset: 3 })
    await say(rig, 'demand-response', false)
    expect(rig.equipment.points.get('power')).toBe(13)
    expect(rig.shown('power')).toMatchObject({ deviationActivated: true, deviationCachedValue: 10 })
  })

  test('of a schedule on a datapoint that is not there changes nothing: what is held there stays held', async () => {
    const rig = await aRig()
    await say(rig, 'demand-response', true)
    await rig.connections.apply(aSystem('sys', []))
    rig.arbiter.claim('power', 'deviation', { value: 20 })
    await rig.settle()
    expect(rig.arbiter.claims('power')).toHaveProperty('demand-response')
    expect(rig.arbiter.claims('power')).not.toHaveProperty('deviation')
  })

  test('on a datapoint that is no longer commissioned is dropped, and what waited for the equipment is sent', async () => {
    const rig = await aRig()
    rig.equipment.reading = new Promise(() => {})
    await say(rig, 'deviation', true)
    await rig.connections.apply(aSystem('sys', [aConnection({ datapoints: [aDatapoint({ id: 'other' })] })]))
    await say(rig, 'deviation', false)
    expect(rig.arbiter.isHeld('power')).toBe(false)
    expect(rig.entries().map(({ phase }) => phase)).toEqual(['applied', 'write-failed'])
  })
})
