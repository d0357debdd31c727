import type { Connection } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import type { Protocol, Target } from '../driver.ts'

/** A connection and variations of it. */
export interface TargetsRig {
  protocol: Protocol
  connection: Connection
  /** Settings that change how the driver talks to the equipment, but not which equipment it is. */
  tuning: Record<string, unknown>
  /** Settings that point to different equipment. */
  elsewhere: Record<string, unknown>
  /** Settings that spell the address of a host in another way. Their host is the controller's own machine. */
  spelled?: readonly Record<string, unknown>[]
  /** `data` that points the first writable datapoint to another address of the same equipment. */
  otherAddress: Record<string, unknown>
  /** Settings or `data` that reach the same value in another way, such as a password or a write function. */
  otherWays?: readonly { settings?: Record<string, unknown>; data?: Record<string, unknown> }[]
  /** `data` that give the raw values of the first writable datapoint another meaning, where the protocol can. */
  otherMeanings?: readonly Record<string, unknown>[]
}

/** The tests that every protocol passes about the equipment behind a connection. */
export function describeTargets(make: () => Promise<TargetsRig | undefined>): void {
  const withSettings = (connection: Connection, change: Record<string, unknown>): Connection => ({
    ...connection,
    settings: { ...connection.settings, ...change },
  })

  const overlap = (a: Target, b: Target) => a.space === b.space && a.start < b.end && b.start < a.end

  describe('the targets of a connection', () => {
    test('cover its writable datapoints, in order', async ({ skip }) => {
      const rig = await make()
      if (!rig) return skip()
      const targets = rig.protocol.targets(rig.connection)
      expect(targets.map((target) => target !== undefined)).toEqual(
        rig.connection.datapoints.map(({ accessType }) => accessType !== 'READ'),
      )
      for (const target of targets) {
        if (!target) continue
        expect(target.start).toBeLessThan(target.end)
        expect(target.name).toMatch(/^.{1,200}$/)
      }
    })

    test('are equal for equal files, and do not depend on tuning', async ({ skip }) => {
      const rig = await make()
      if (!rig) return skip()
      const { protocol, connection, tuning } = rig
      const targets = protocol.targets(connection)
      expect(protocol.targets(structuredClone(connection))).toEqual(targets)
      const tuned = withSettings(connection, tuning)
      expect(protocol.check(tuned)).toEqual([])
      expect(protocol.targets(tuned)).toEqual(targets)
    })

    test('differ for different equipment', async ({ skip }) => {
      const rig = await make()
      if (!rig) return skip()
      const { protocol, connection, elsewhere } = rig
      const moved = withSettings(connection, elsewhere)
      expect(protocol.check(moved)).toEqual([])
      const others = protocol.targets(moved)
      for (const [index, target] of protocol.targets(connection).entries()) {
        const other = others[index]
        if (!target || !other) continue
        expect(other.identity).not.toBe(target.identity)
        expect(other.meaning).toBe(target.meaning)
        expect(overlap(target, other)).toBe(false)
      }
    })

    test('do not depend on the spelling of the address', async ({ skip }) => {
      const rig = await make()
      if (!rig?.spelled) return skip()
      const { protocol, connection } = rig
      const spelled = rig.spelled.map((settings) => protocol.targets(withSettings(connection, settings)))
      for (const targets of spelled) expect(targets).toEqual(spelled[0])
      for (const target of spelled.flat()) if (target) expect(target.reach).toBe('controller')
    })

    const first = ({ datapoints }: Connection) =>
      datapoints.find(({ accessType }) => accessType !== 'READ') ?? expect.fail('no target')

    /** The target of the first writable datapoint, alone on its connection and changed like this. */
    function only({ protocol, connection }: TargetsRig, { settings = {}, data = {} }): Target {
      const point = first(connection)
      const alone = { ...connection, datapoints: [{ ...point, data: { ...point.data, ...data } }] }
      const changed = withSettings(alone, settings)
      expect(protocol.check(changed)).toEqual([])
      return protocol.targets(changed)[0] ?? expect.fail('no target')
    }

    test('differ at another address, and overlap only at the same address', async ({ skip }) => {
      const rig = await make()
      if (!rig) return skip()
      const [here, there] = [only(rig, {}), only(rig, { data: rig.otherAddress })]
      expect(overlap(here, here)).toBe(true)
      expect(there.identity).not.toBe(here.identity)
      expect(there.meaning).toBe(here.meaning)
      expect(overlap(there, here)).toBe(false)
    })

    test('mean the same however they are reached', async ({ skip }) => {
      const rig = await make()
      if (!rig?.otherWays) return skip()
      for (const way of rig.otherWays) {
        const changed = only(rig, way)
        expect(changed.identity, JSON.stringify(way)).not.toBe(only(rig, {}).identity)
        expect(changed.meaning, JSON.stringify(way)).toBe(only(rig, {}).meaning)
      }
    })

    test('say when a raw value means something else', async ({ skip }) => {
      const rig = await make()
      if (!rig?.otherMeanings) return skip()
      for (const data of rig.otherMeanings) {
        const changed = only(rig, { data })
        expect(changed.identity, JSON.stringify(data)).not.toBe(only(rig, {}).identity)
        expect(changed.meaning, JSON.stringify(data)).not.toBe(only(rig, {}).meaning)
      }
    })
  })
}
