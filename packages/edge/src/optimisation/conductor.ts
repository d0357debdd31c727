import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { PeakShaving, TechnicalSystem } from '@plantroom/contract/datapoint'
import { DEFAULT_TIME_ZONE, siteTimeAt } from '@plantroom/contract/site-time'
import { type ClaimSink, withdrawUndriven } from './claim-sink.ts'
import type { Meter } from './meter.ts'
import {
  type Change,
  type ConductorState,
  conduct,
  type IdleReason,
  limitInForce,
  NOTHING_SHED,
  takeOver,
  wantsOf,
} from './peak-shaving.ts'

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
  let state: ConductorState = NOTHING_SHED
  let idle: IdleReason | undefined
  let cancel: (() => void) | undefined

  function replace(next: TechnicalSystem): void {
    const loads = next.peakShaving?.loads ?? []
    const before = new Set(state.since.keys())
    const isShed = (id: string) => sink.claims(id)['peak-shaving'] !== undefined
    state = takeOver(state, loads, isShed, clock.monotonic())
    withdrawUndriven(sink, 'peak-shaving', { system: next, before, driven: new Set(state.since.keys()) })
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
    const seen = {
      settings,
      limitKw: limitInForce(settings.limitKw, hourAt(system, clock.now())),
      meter: meter.read(settings.meterId),
      held: heldByDemandResponse(sink, settings),
    }
    const done = conduct(state, seen, clock.monotonic())
    state = done.state
    setIdle(done.idle)
    for (const change of done.changes) logChange(change, seen)
    stateClaims(settings)
  }

  function stateClaims({ loads }: PeakShaving): void {
    for (const [id, want] of wantsOf(loads, state)) sink.claim(id, 'peak-shaving', want)
  }

  function setIdle(next: IdleReason | undefined): void {
    if (next === idle) return
    idle = next
    if (next) log.warn({ technicalSystem: system.name, reason: next }, 'peak shaving is paused')
    else log.info({ technicalSystem: system.name }, 'peak shaving has resumed')
  }

  function logChange(
    { kind, load }: Change,
    seen: { limitKw: number | null; meter: { value: number } | undefined },
  ): void {
    const { datapointId } = load
    const { limitKw, meter } = seen
    const about = { technicalSystem: system.name, datapointId, meterKw: meter?.value, limitKw }
    log.info(about, kind === 'shed' ? 'load shed' : 'load recovered')
  }

  replace(system)
  return { replace, close: stop }
}

function heldByDemandResponse(sink: ClaimSink, { loads }: PeakShaving): ReadonlySet<string> {
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
