import { nextRandom } from './random.ts'

/** Solar panels on the roof. */
export interface Solar {
  /** The power that they generate. */
  powerKw: number
  /** The part of the light that clouds let through. */
  clearness: number
  /** What their inverter lets through of the peak power. */
  limitPercent: number
  generatedWh: number
}

export const SOLAR = {
  peakKw: 8,
  /** As the day of the outdoor temperature, of which half is night. */
  daySeconds: 1800,
  /** How long a cloud or a gap lasts on average. */
  cloudSeconds: 60,
  darkestClearness: 0.15,
  /** A cloud covers the panels in a few seconds. */
  edgeSeconds: 4,
}

export const newSolar: Solar = { powerKw: 0, clearness: 1, limitPercent: 100, generatedWh: 0 }

/** Returns the panels `seconds` later, `time` seconds after the start. */
export function advanceSolar(
  solar: Solar,
  { seconds, time, seed }: { seconds: number; time: number; seed: number },
): { solar: Solar; seed: number } {
  const change = nextRandom(seed)
  const sky = nextRandom(change.seed)
  const isChanging = change.value < 1 - Math.exp(-seconds / SOLAR.cloudSeconds)
  const clearness = isChanging ? SOLAR.darkestClearness + (1 - SOLAR.darkestClearness) * sky.value : solar.clearness
  const sun = Math.max(0, Math.sin((2 * Math.PI * time) / SOLAR.daySeconds))
  const settlesAt = SOLAR.peakKw * Math.min(sun * clearness, solar.limitPercent / 100)
  const powerKw = settlesAt + (solar.powerKw - settlesAt) * Math.exp(-seconds / SOLAR.edgeSeconds)
  const generatedWh = solar.generatedWh + (powerKw * 1000 * seconds) / 3600
  return { seed: sky.seed, solar: { ...solar, powerKw, clearness, generatedWh } }
}
