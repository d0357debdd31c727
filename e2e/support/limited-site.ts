import { randomUUID } from 'node:crypto'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import type { LiveDevice } from '@plantroom/contract/control-state'
import type { LimitState } from '@plantroom/contract/power-limit'
import type { ReportEntry } from '@plantroom/contract/reports'
import { expect } from 'vitest'
import { drivenBatteryRoom } from './building.ts'
import { controlState } from './control-state.ts'
import { type Dispatchable, ofBatteryRoom, registerIs } from './dispatchable.ts'
import { eventually } from './eventually.ts'
import { reportsOf } from './override-reports.ts'
import type { Stack } from './stack.ts'

const [INVERTER, METER, BOILER] = [1, 2, 3]
/** What the battery is asked for while nobody holds it. */
export const PLAIN_KW = 5
export const BOILER_KW = 9

/** The simulated building with a power limit: placed as a partner does, judged by its registers. */
export interface LimitedSite {
  readonly power: Dispatchable
  /** Places a limit that the controller accepts. `to` is in milliseconds since 1970. Returns its id in the cloud. */
  limit(kw: number, about: { from?: number; to: number }): Promise<string>
  /** Places it and does not wait for the controller. */
  ask(kw: number, about: { from?: number; to: number }): Promise<string>
  accepted(id: string): Promise<void>
  release(id: string): Promise<void>
  /** What flows, whatever the meter shows: the loads, the battery and the panels, each measured by itself. */
  flowKw(): Promise<number>
  /** The measured power of the battery. */
  batteryKw(): Promise<number>
  boilerIsOn(): Promise<boolean>
  /** What the controller says about its limits. */
  state(): Promise<NonNullable<LiveDevice['powerLimit']>>
  becomes(state: LimitState): Promise<void>
  /** Waits until what flows is at most this, and the battery is where its register says. */
  staysBelow(kw: number): Promise<void>
  /** Waits until every load has what it had. The boiler may wait for its minimum time. */
  isAsBefore(): Promise<void>
  /** Waits for the phases of a limit in the audit, without those of its intervals. */
  audited(id: string, phases: readonly string[]): Promise<ReportEntry[]>
}

/** The room's power limit with minimum times that a test can wait for, and without peak shaving and schedules. */
export function limitedRoom(port: number, more: object = {}): CommissioningFile {
  const { peakShaving, schedules, powerLimit, ...file } = drivenBatteryRoom(port)
  if (!powerLimit) throw new Error('the battery room has no power limit')
  const loads = powerLimit.loads.map((load) =>
    load.kind === 'switching' ? { ...load, minOnSeconds: 0, minOffSeconds: 2 } : load,
  )
  return { ...file, powerLimit: { ...powerLimit, loads, ...more } }
}

export function limitedSite(stack: Stack): LimitedSite {
  const { equipment } = stack
  const power = ofBatteryRoom(stack, 'Charge power')

  async function send(method: string, path: string, body?: object) {
    const response = await fetch(`${stack.cloud.ready.baseUrl}/api/orgs/${stack.orgId}/limits${path}`, {
      method,
      headers: { 'X-Api-Key': stack.apiKey, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const reply = await response.json()
    expect(response.ok, JSON.stringify(reply)).toBe(true)
    return reply as { id: string; outcomes: { outcome: string; limitId: string | null }[] }
  }
  const ask: LimitedSite['ask'] = async (kw, { from, to }) => {
    const at = (ms: number) => new Date(ms).toISOString()
    const window = { ...(from !== undefined && { from: at(from) }), to: at(to) }
    const rest = { direction: 'import', kw, averagingSeconds: 0, ...window }
    return (await send('POST', '', { idempotencyKey: randomUUID(), siteId: stack.siteId, ...rest })).id
  }
  const accepted = (id: string) =>
    eventually(async () => {
      expect((await send('GET', `/${id}`)).outcomes).toMatchObject([{ outcome: 'accepted' }])
    })
  const state = async () => {
    const { powerLimit } = await controlState(stack)
    if (!powerLimit) throw new Error('the controller has no power limit')
    return powerLimit
  }
  const batteryKw = async () => (await equipment.holding(INVERTER, 200, 1)).readInt16BE(0) / 10
  const flowKw = async () => {
    const registers = await equipment.holding(METER, 10, 6)
    // The load stands with its low word first.
    const loadKw = Buffer.concat([registers.subarray(2, 4), registers.subarray(0, 2)]).readFloatBE(0)
    return loadKw + (await batteryKw()) - registers.readInt32BE(8) / 1000
  }

  return {
    power,
    ask,
    accepted,
    async limit(kw, about) {
      const id = await ask(kw, about)
      await accepted(id)
      return id
    },
    release: async (id) => void (await send('DELETE', `/${id}`)),
    flowKw,
    batteryKw,
    boilerIsOn: () => equipment.coil(BOILER, 0),
    state,
    becomes: (wanted) => eventually(async () => expect(await state()).toMatchObject({ state: wanted })),
    staysBelow: (kw) =>
      eventually(async () => {
        expect(await batteryKw()).toBeCloseTo(Math.min(await power.register(), 50), 0)
        expect(await flowKw()).toBeLessThan(kw)
      }),
    async isAsBefore() {
      await registerIs(power, PLAIN_KW)
      await eventually(async () => expect(await equipment.coil(BOILER, 0)).toBe(true))
    },
    audited: (id, phases) =>
      eventually(async () => {
        const { outcomes } = await send('GET', `/${id}`)
        const entries = (await reportsOf(stack)).filter(({ overrideId }) => overrideId === outcomes[0]?.limitId)
        expect(entries.map(({ phase }) => phase).filter((phase) => phase !== 'interval')).toEqual(phases)
        return entries
      }),
  }
}
