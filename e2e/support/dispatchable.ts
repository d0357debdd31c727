import type { ReportEntry } from '@plantroom/contract/reports'
import type { DatapointValue } from '@plantroom/contract/values'
import { eventually as eventuallyWithin } from '@plantroom/testkit/eventually'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import { reportsOf } from './override-reports.ts'
import { readSetpoints, type SetpointName } from './override-setpoints.ts'
import type { Answer } from './partner.ts'
import type { Stack } from './stack.ts'

/** How long after its `to` a window may still be held, as the design has it. */
const LIVE_MS = 2_000

/** Milliseconds since 1970; from now on where `from` is not said. */
interface Span {
  from?: number
  to: number
}

/** One datapoint from both ends: as a partner dispatches it, and as it stands in the equipment. */
export interface Dispatchable {
  override(value: number, span: Span, reqId?: string): Promise<Answer<{ id: string }>>
  /** An override that has to be taken. Gives its id. */
  place(value: number, span: Span): Promise<string>
  cancel(id: string, reqId?: string): Promise<Answer<{ success: boolean }>>
  /** Its entry in the values of its connection. */
  shown(): Promise<DatapointValue>
  /** In engineering units, asked of the equipment itself. */
  register(): Promise<number>
  /** What the cloud has been told of it, in the order in which it happened. */
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
      if (!entry) throw new Error(`there is no ${datapointId} on ${connectionId}`)
      return entry
    },
    register: async () => of.register(),
    reports: () => reportsOf(stack, { datapointId }),
  }
}

/** One of the battery room. */
export function ofBatteryRoom(stack: Stack, name: SetpointName): Dispatchable {
  return dispatchable(stack, {
    connectionId: stack.connectionId('Inverter'),
    datapointId: stack.datapointId(name),
    register: async () => (await readSetpoints(stack.equipment))[name],
  })
}

/** Waits until the equipment holds this. */
export function registerIs({ register }: Dispatchable, value: number): Promise<void> {
  return eventually(async () => expect(await register()).toBe(value))
}

/** Waits until the cloud has been told just this of an override: `applied 7`, `released 0 (cancelled)`. */
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
 * Looks at the equipment until it is handed back: the value stands until `to`, and is gone `withinMs` of it. `to` is by
 * the clock on the wall, whatever the device takes it for.
 */
export async function endsOnTime(
  { register }: Dispatchable,
  { value, to, back }: { value: number; to: number; back: number },
  withinMs = LIVE_MS,
): Promise<void> {
  const tooEarly: number[] = []
  const leftMs = to + withinMs - Date.now()
  await eventuallyWithin(async () => {
    const seen = await register()
    if (seen !== value && Date.now() < to) tooEarly.push(seen)
    expect(seen).toBe(back)
  }, leftMs)
  expect(tooEarly).toEqual([])
}
