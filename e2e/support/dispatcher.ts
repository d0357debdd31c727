import type { ReportEntry } from '@plantroom/contract/reports'
import type { DatapointValue } from '@plantroom/contract/values'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import { reportsOf } from './override-reports.ts'
import { readSetpoints, type SetpointName } from './override-setpoints.ts'
import type { Stack } from './stack.ts'

/** Dispatches by datapoint name as a partner does, and reads equipment, values and audit. */
export interface Dispatcher {
  /** Places an override and returns its id. Times are in milliseconds from now. */
  hold(name: SetpointName, value: number, times: { from?: number; to: number }): Promise<string>
  cancel(id: string): Promise<void>
  /** Waits until the register has this value, in engineering units. */
  registerBecomes(name: SetpointName, value: number): Promise<void>
  register(name: SetpointName): Promise<number>
  /** Returns the datapoint's entry of `getTechnicalConnectionValues`. */
  live(name: SetpointName): Promise<DatapointValue>
  /** Returns the audit entries of an override once there are `count` of them. */
  reportsOn(overrideId: string, count: number): Promise<ReportEntry[]>
}

export function dispatcherOf(stack: Stack): Dispatcher {
  const { partner, equipment } = stack
  const register = async (name: SetpointName) => (await readSetpoints(equipment))[name]
  return {
    async hold(name, value, { from = 0, to }) {
      const now = Date.now()
      const setpoint = { datapointId: stack.datapointId(name), value, from: now + from, to: now + to }
      const { status, body } = await partner.override(setpoint)
      expect(status, body.message).toBe(200)
      expect(body.data).toEqual({ id: expect.stringMatching(/./) })
      return body.data.id
    },
    async cancel(id) {
      const { status, body } = await partner.cancel(id)
      expect(status, body.message).toBe(200)
      expect(body.data).toEqual({ success: true })
    },
    register,
    registerBecomes: (name, value) => eventually(async () => expect(await register(name)).toBe(value)),
    async live(name) {
      const { status, body } = await partner.values(stack.connectionId('Inverter'))
      expect(status, body.message).toBe(200)
      const entry = body.data.values[stack.datapointId(name)]
      if (!entry) throw new Error(`the values contain no ${name}`)
      return entry
    },
    reportsOn: (overrideId, count) =>
      eventually(async () => {
        const reports = (await reportsOf(stack)).filter((entry) => entry.overrideId === overrideId)
        expect(reports).toHaveLength(count)
        return reports
      }),
  }
}
