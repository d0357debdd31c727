import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { PeakShaving, TechnicalSystem } from '@plantroom/contract/datapoint'
import { DEFAULT_TIME_ZONE, siteTimeAt } from '@plantroom/contract/site-time'
import { type ClaimSink, withdrawUndriven } from './claim-sink.ts'
import type { Meter } from './meter.ts'
import { limitInForce, seenOf, takeOver, wantsOf } from './peak-shaving.ts'
import { regulate } from './regulator.ts'
import { NOTHING_MOVED, type RegulatorState } from './regulator-state.ts'
import { createTrustedMeter, type Distrust } from './trusted-meter.ts'

/** Runs peak shaving for one technical system. */
export interface Conductor {
  /** Follows the new settings. Removed loads are released, the others keep their state. */
  replace(system: TechnicalSystem): void
  /** Stops the cycles. Loads stay shed; the next start takes them over. */
  close(): void
}

/** Treats loads that peak shaving already claims as shed: the previous process shed them. */
export function startConductor(deps: {
  system: TechnicalSystem
  sink: ClaimSink
  meter: Meter
  clock: Clock
  log: Log
}): Conductor {
  const { sink, meter, clock, log } = deps
  let { system } = deps
  const trusted = createTrustedMeter(meter)
  let state: RegulatorState = NOTHING_MOVED
  let idle: Distrust | 'no limit is known' | undefined
  let cancel: (() => void) | undefined

  function replace(next: TechnicalSystem): void {
    const loads = next.peakShaving?.loads ?? []
    const before = new Set(state.loads.keys())
    const isShed = (id: string) => sink.claims(id)['peak-shaving'] !== undefined
    state = takeOver(state, loads, isShed, clock.monotonic())
    withdrawUndriven(sink, 'peak-shaving', { system: next, before, driven: new Set(state.loads.keys()) })
    system = next
    if (!next.peakShaving) {
      stop()
      return
    }
    stateClaims(next.peakShaving)
    // A running cycle keeps its timer, so that frequent new limits cannot postpone it forever.
    cancel ??= clock.after(cycleMs(next.peakShaving), cycle)
  }

  function stop(): void {
    cancel?.()
    cancel = undefined
    idle = undefined
  }

  function cycle(): void {
    const settings = system.peakShaving
    if (!settings) return
    cancel = clock.after(cycleMs(settings), cycle)
    const { meterId, cycleSeconds } = settings
    const now = clock.monotonic()
    const limitKw = limitInForce(settings.limitKw, hourAt(system, clock.now()))
    const read = trusted.read({ meterId, kwPerUnit: 1, pollSeconds: cycleSeconds }, now)
    const reading = typeof read === 'string' ? undefined : read
    const done = regulate(state, seenOf(settings, { limitKw, meter: reading, held: held(sink, settings) }), now)
    trusted.moved(done.movedKw, now)
    setIdle(limitKw === null ? 'no limit is known' : typeof read === 'string' ? read : undefined)
    logChanges(settings, state, done.state, { meterKw: reading?.kw, limitKw })
    state = done.state
    stateClaims(settings)
  }

  function stateClaims({ loads }: PeakShaving): void {
    for (const [id, want] of wantsOf(loads, state)) sink.claim(id, 'peak-shaving', want)
  }

  function setIdle(next: typeof idle): void {
    if (next === idle) return
    idle = next
    if (next) log.warn({ technicalSystem: system.name, reason: next }, 'peak shaving is paused')
    else log.info({ technicalSystem: system.name }, 'peak shaving has resumed')
  }

  function logChanges({ loads }: PeakShaving, before: RegulatorState, after: RegulatorState, seen: object): void {
    for (const { datapointId } of loads) {
      const [was, is] = [before, after].map((state) => state.loads.get(datapointId)?.atMostKw)
      if (was === is) continue
      log.info({ technicalSystem: system.name, datapointId, ...seen }, is === 0 ? 'load shed' : 'load recovered')
    }
  }

  replace(system)
  return { replace, close: stop }
}

/** Returns the loads that demand response holds. */
function held(sink: ClaimSink, { loads }: PeakShaving): ReadonlySet<string> {
  const ids = loads.map(({ datapointId }) => datapointId)
  return new Set(ids.filter((id) => sink.claims(id)['demand-response'] !== undefined))
}

function hourAt({ timeZone = DEFAULT_TIME_ZONE }: TechnicalSystem, now: number): number | undefined {
  const at = siteTimeAt(timeZone, now)
  return at && Math.floor(at.minute / 60)
}

// A cycle of 0 s would starve everything else.
function cycleMs({ cycleSeconds }: PeakShaving): number {
  return Math.max(1, cycleSeconds) * 1000
}
