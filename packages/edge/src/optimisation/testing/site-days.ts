import type { Random } from '@plantroom/testkit/random'
import { addReading, openInterval } from '../../telemetry/interval.ts'
import { allowedUntilEnd, QUARTER_MS } from '../ceiling.ts'
import { addToHighs, type HourHighs, highAt, NO_HIGHS } from '../hour-highs.ts'
import { regulate } from '../regulator.ts'
import { NOTHING_MOVED, type RegulatedLoad, type RegulatorState } from '../regulator-state.ts'
import { isKeptCarefully, type SecondSeen } from './careful-oracle.ts'

/** What became of a ceiling over some days. */
export interface SiteDays {
  quarters: number
  /** The quarters above the ceiling that a regulator who knows the future could have kept, and the worst excess in kW. */
  avoidable: number
  /**
   * Those of them that one could have kept who knows only the past and the stated worst case. That a battery is empty shows when
   * it does not follow.
   */
  foreseeable: number
  worstKw: number
  /** Of the energy that was allowed while there was demand for it, the part that was used. */
  used: number
  switches: number
  /** How often a load switched before its minimum time was over. */
  tooSoon: number
  /** What was learned of the site, for the days after these. */
  highs: HourHighs
}

export const CEILING_KW = 60
const POLL_S = 5
const WEEK_MS = 7 * 86_400_000
/** What was learned changes no more often. */
const BLOCK_S = 300
const QUARTER_S = QUARTER_MS / 1000
/**
 * The worst case that is stated, in kW. At a known site: the highest power at this hour in the week before. At a new one, a
 * rise in proportion to what is left of the quarter of an hour, as for the regulator. Never less than a small rise.
 */
const WORST = { smallKw: 2.1, newKw: 14.07 }
/** The oracle stops all loads without delay. What they draw in ten seconds, as a mean of the quarter of an hour. */
const REACTION_KW = (21 * 10) / 900
/** Noise is no rise. */
const SMOOTHING_S = 10
const BATTERY = { id: 'battery', kind: 'modulating', priority: 1, minKw: -50, maxKw: 50 } as const
const BATTERY_KWH = 100
const BATTERY_WANTS_KW = 10
/** A battery that is charged to this part gives nothing. */
const EMPTY = 0.05
const SWITCHING = [
  { id: 'boiler', kind: 'switching', priority: 2, ratedKw: 9, minOnSeconds: 300, minOffSeconds: 300 },
  { id: 'heat pump', kind: 'switching', priority: 3, ratedKw: 12, minOnSeconds: 600, minOffSeconds: 600 },
] as const

interface Switched {
  isOn: boolean
  since: number
}

/**
 * Simulates a site second by second: people, PV with clouds, a battery with limits and inertia, loads that switch. `after` is
 * what was learned in the week before, from another seed; without it, the controller is new to the site.
 */
export function siteDays(
  random: Random,
  about: {
    days: number
    hasBattery: boolean
    after?: Random /** The controller reads its charge. */
    isChargeRead?: boolean
  },
): SiteDays {
  const { days, hasBattery, after, isChargeRead = false } = about
  const unit = () => random.whole(0, 1_000_000) / 1_000_000
  const loads: readonly RegulatedLoad[] = hasBattery ? [BATTERY, ...SWITCHING] : SWITCHING
  let highestKw: number | undefined
  let highs = after ? siteDays(after, { days: 7, hasBattery }).highs : NO_HIGHS
  const result = { quarters: 0, avoidable: 0, foreseeable: 0, worstKw: 0, used: 0, switches: 0, tooSoon: 0 }
  const on = new Map<string, Switched>(SWITCHING.map(({ id }) => [id, { isOn: true, since: Number.NEGATIVE_INFINITY }]))
  let [state, interval]: [RegulatorState, ReturnType<typeof openInterval>] = [NOTHING_MOVED, openInterval(0)]
  let [base, target, clouds, battery, charged] = [30, 30, 1, 0, 0.5]
  let quarter = { kws: 0, demanded: 0, fixed: 0, charged, forced: 0 }
  let demandQuarters = 0
  let seconds: SecondSeen[] = []
  let calmKw = base
  for (let second = 0; second < days * 86_400; second += 1) {
    const hour = (second % 86_400) / 3600
    if (unit() < 1 / 900) target = usual(hour) + unit() * 25
    base += (target - base) / 20
    if (unit() < 1 / 300) clouds = 0.15 + 0.85 * unit()
    const fixed = base - Math.max(0, Math.sin(((hour - 6) / 12) * Math.PI)) * 25 * clouds + (unit() - 0.5) * 2
    const atMost = (id: string) => state.loads.get(id)?.atMostKw ?? Number.POSITIVE_INFINITY
    if (second % QUARTER_S === 0) quarter = { kws: 0, demanded: 0, fixed: 0, charged, forced: forcedOf(on, second) }
    const asked = hasBattery ? Math.min(BATTERY_WANTS_KW, atMost(BATTERY.id)) : 0
    const possible = (asked < 0 && charged <= EMPTY) || (asked > 0 && charged >= 1) ? 0 : asked
    battery += Math.max(-10, Math.min(10, possible - battery))
    charged += battery / 3600 / BATTERY_KWH
    let running = 0
    for (const { id, ratedKw, minOnSeconds } of SWITCHING) {
      const before = on.get(id) as Switched
      const isOn = atMost(id) > 0
      if (isOn !== before.isOn) {
        result.switches += 1
        if (second - before.since < minOnSeconds) result.tooSoon += 1
        on.set(id, { isOn, since: second })
      }
      running += isOn ? ratedKw : 0
    }
    if (second % QUARTER_S === 0) seconds = []
    calmKw += (fixed - calmKw) / SMOOTHING_S
    const newKw = calmKw + WORST.smallKw + WORST.newKw * (1 - (second % QUARTER_S) / QUARTER_S)
    seconds.push({
      fixedKw: fixed,
      worstKw: highestKw === undefined ? newKw : Math.max(highestKw, calmKw + WORST.smallKw),
      running: runningLoads(on, second),
    })
    const kw = fixed + battery + running
    quarter.kws += kw
    quarter.fixed += fixed
    quarter.demanded += fixed + (hasBattery ? BATTERY_WANTS_KW : 0) + 21
    const now = second * 1000
    const end = (Math.floor(second / QUARTER_S) + 1) * QUARTER_MS
    if (second % POLL_S === 0) {
      interval = addReading(interval, { at: now, value: kw }, 90_000)
      const wall = now + (after ? WEEK_MS : 0)
      highs = addToHighs(highs, { at: wall, value: fixed }, { timeZone: 'UTC', longestMs: 90_000 })
      if (second % BLOCK_S === 0) highestKw = highAt(highs, wall, 'UTC')
      const wantedKw = (load: RegulatedLoad) => (load.kind === 'modulating' ? BATTERY_WANTS_KW : (load.ratedKw ?? 0))
      state = regulate(
        state,
        {
          loads: loads.map((load) => ({
            ...load,
            ...(isChargeRead && load.kind === 'modulating' && { stored: storedAt(charged) }),
            ...{ wantedKw: wantedKw(load), isHeld: false },
          })),
          meter: { kw, at: now },
          ceiling: {
            allowedKw: allowedUntilEnd(CEILING_KW, { interval, to: end, now }),
            leftSeconds: (end - now) / 1000,
            laterKw: CEILING_KW,
            peakKw: 1.5 * CEILING_KW,
          },
          ...{ hysteresisKw: 1.2, patience: 2, highestKw },
        },
        now,
      ).state
    }
    if (second % QUARTER_S !== QUARTER_S - 1) continue
    interval = openInterval(end, interval)
    result.quarters += 1
    const mean = quarter.kws / QUARTER_S
    const fromBattery = hasBattery ? Math.min(50, Math.max(0, (quarter.charged - EMPTY) * BATTERY_KWH * 4)) : 0
    const least = quarter.fixed / QUARTER_S - fromBattery + quarter.forced / QUARTER_S
    if (mean > CEILING_KW && least <= CEILING_KW) {
      result.avoidable += 1
      const isForeseeable = hasBattery ? charged > EMPTY + 0.001 : isKeptCarefully(seconds, CEILING_KW - REACTION_KW)
      if (isForeseeable) result.foreseeable += 1
      result.worstKw = Math.max(result.worstKw, mean - CEILING_KW)
    }
    if (quarter.demanded / QUARTER_S >= CEILING_KW) {
      demandQuarters += 1
      result.used += Math.min(mean, CEILING_KW) / CEILING_KW
    }
  }
  return { ...result, used: result.used / demandQuarters, highs }
}

/** The energy by a charge that is read in whole percent, of which half a percent is kept back. */
const storedAt = (charged: number) => {
  const part = Math.round(charged * 100) / 100 - 0.005
  return { supplyKwh: Math.max(0, part - EMPTY) * BATTERY_KWH, drawKwh: Math.max(0, 0.99 - part) * BATTERY_KWH }
}

/** What people draw at this hour, without the noise. */
const usual = (hour: number) =>
  22 + 18 * Math.exp(-(((hour - 8) / 2) ** 2)) + 22 * Math.exp(-(((hour - 19) / 2.5) ** 2))

/** The loads that run, and for how long they may not be stopped yet. */
const runningLoads = (on: ReadonlyMap<string, Switched>, second: number): SecondSeen['running'] =>
  SWITCHING.flatMap(({ id, ratedKw, minOnSeconds }) => {
    const { isOn, since } = on.get(id) as Switched
    return isOn ? [{ id, kw: ratedKw, onSeconds: Math.max(0, since + minOnSeconds - second) }] : []
  })

/** The kW seconds that loads draw because they may not stop yet. */
function forcedOf(on: ReadonlyMap<string, Switched>, second: number): number {
  return SWITCHING.reduce((sum, { id, ratedKw, minOnSeconds }) => {
    const { isOn, since } = on.get(id) as Switched
    return sum + (isOn ? Math.max(10, since + minOnSeconds - second) * ratedKw : 0)
  }, 0)
}
