import type { ReportEntry } from '@plantroom/contract/reports'
import type { DatapointValue } from '@plantroom/contract/values'
import { eventually as eventuallyOften } from '@plantroom/testkit/eventually'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import { reportsOf } from './override-reports.ts'
import { readSetpoints, type SetpointName } from './override-setpoints.ts'
import type { Answer } from './partner.ts'
import type { Stack } from './stack.ts'

/** Longest time that an override may be held after its `to`. */
const LIVE_MS = 2_000
/** A controller judges by the cloud's time, which it may have guessed early by half of the longest round trip. */
const CLOUD_TIME_OFF_MS = 1_000

/** In milliseconds since 1970; `from` defaults to now. */
interface Span {
  from?: number
  to: number
}

/** One datapoint, as a partner dispatches it and as the equipment has it. */
export interface Dispatchable {
  override(value: number, span: Span, reqId?: string): Promise<Answer<{ id: string }>>
  /** Places an override that must be accepted. Returns its id. */
  place(value: number, span: Span): Promise<string>
  cancel(id: string, reqId?: string): Promise<Answer<{ success: boolean }>>
  /** Returns its entry in the values of its connection. */
  shown(): Promise<DatapointValue>
  /** Reads the equipment directly, in engineering units. */
  register(): Promise<number>
  /** Returns its audit entries in the cloud, oldest first. */
  reports(): Promise<ReportEntry[]>
}

export function dispatchable(
  stack: Stack,
  of: { connectionId: string; datapointId: string; register: () => number | Promise<number> },
): Dispatchable {
  const { partner } = stack
  const { connectionId, datapointId } = of
  const override: Dispatchable['override'] = (value, { from = Date.now(), to }, reqId) =>
    partner.override({ datapointId, value, from, to }, reqId)
  return {
    override,
    async place(value, span) {
      const { status, body } = await override(value, span)
      expect(status, body.message).toBe(200)
      return body.data.id
    },
    cancel: partner.cancel,
    async shown() {
      const { status, body } = await partner.values(connectionId)
      expect(status, body.message).toBe(200)
      const entry = body.data.values[datapointId]
      if (!entry) throw new Error(`the values of ${connectionId} contain no ${datapointId}`)
      return entry
    },
    register: async () => of.register(),
    reports: () => reportsOf(stack, { datapointId }),
  }
}

/** Returns a datapoint of the battery room. */
export function ofBatteryRoom(stack: Stack, name: SetpointName): Dispatchable {
  return dispatchable(stack, {
    connectionId: stack.connectionId('Inverter'),
    datapointId: stack.datapointId(name),
    register: async () => (await readSetpoints(stack.equipment))[name],
  })
}

/** Waits until the equipment has this value. */
export function registerIs({ register }: Dispatchable, value: number): Promise<void> {
  return eventually(async () => expect(await register()).toBe(value))
}

/** Waits until the audit of an override consists of these entries: `applied 7`, `released 0 (cancelled)`. */
export function reported({ reports }: Dispatchable, id: string, expected: readonly string[]): Promise<void> {
  return eventually(async () => {
    const entries = (await reports()).filter(({ overrideId }) => overrideId === id)
    expect(entries.map(inShort)).toEqual(expected)
  })
}

function inShort({ phase, reason, value }: ReportEntry): string {
  return `${phase} ${value}${phase === 'released' ? ` (${reason})` : ''}`
}

export async function isHeld({ shown }: Dispatchable): Promise<void> {
  expect(await shown()).toMatchObject({ locked: true, lockedBy: 'demand-response' })
}

export async function isFree({ shown }: Dispatchable): Promise<void> {
  expect(await shown()).not.toHaveProperty('locked')
}

/**
 * Watches the equipment until it is released: the value must last until `to`, less a second, and be gone `withinMs`
 * after it. `to` is real time, whatever the controller's clock says.
 */
export async function endsOnTime(
  { register }: Dispatchable,
  { value, to, back }: { value: number; to: number; back: number },
  withinMs = LIVE_MS,
): Promise<void> {
  const tooEarly: number[] = []
  const leftMs = to + withinMs - Date.now()
  await eventuallyOften(async () => {
    const seen = await register()
    if (seen !== value && Date.now() < to - CLOUD_TIME_OFF_MS) tooEarly.push(seen)
    expect(seen).toBe(back)
  }, leftMs)
  expect(tooEarly).toEqual([])
}
