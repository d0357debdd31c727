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
  /** `data` that points the first writable datapoint to another address of the same equipment. */
  otherAddress: Record<string, unknown>
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
        expect(overlap(target, other)).toBe(false)
      }
    })

    test('differ at another address, and overlap only at the same address', async ({ skip }) => {
      const rig = await make()
      if (!rig) return skip()
      const { protocol, connection, otherAddress } = rig
      const first = connection.datapoints.find(({ accessType }) => accessType !== 'READ') ?? expect.fail('no target')
      const only = (data: Record<string, unknown>) => {
        const changed = { ...connection, datapoints: [{ ...first, data: { ...first.data, ...data } }] }
        expect(protocol.check(changed)).toEqual([])
        return protocol.targets(changed)[0] ?? expect.fail('no target')
      }
      expect(overlap(only({}), only({}))).toBe(true)
      expect(only(otherAddress).identity).not.toBe(only({}).identity)
      expect(overlap(only(otherAddress), only({}))).toBe(false)
    })
  })
}
