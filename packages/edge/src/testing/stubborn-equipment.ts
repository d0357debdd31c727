import { Failure } from '@plantroom/contract/failure'
import type { Raw, Writable } from '@plantroom/drivers/driver'
import type { ManualClock } from '@plantroom/testkit/manual-clock'
import type { Random } from '@plantroom/testkit/random'
import type { MemoryDriver } from './memory-driver.ts'

/** What equipment does for a while. */
export const MOODS = [
  'willing',
  /** Answers reads, writes or both with a temporary exception. */
  'busy-reads',
  'busy-writes',
  'busy',
  /** Refuses every value. */
  'refuses',
  /** Acknowledges values and keeps its own. */
  'ignores',
  /** Takes a value, and its answer is lost. */
  'loses-answers',
  /** Lets a write time out, and carries it out seven seconds later. */
  'late',
  /** Acknowledges a value and shows it three seconds later. */
  'slow',
  /** Takes a value, and falls back to the one before two seconds later. */
  'falls-back',
  'cut-off',
] as const
export type Mood = (typeof MOODS)[number]

/** Equipment that nobody would build, behind one point. */
export interface StubbornEquipment {
  /** The value that it cannot be set to, though it can be read. */
  readonly untakable: number | undefined
  mood: Mood
  /** What it keeps of a value. */
  kept(value: number): number
  /** How far its readings are off. */
  readonly noise: number
}

const LATE_MS = 7_000
const SLOW_MS = 3_000
const FALL_BACK_MS = 2_000

export function makeStubborn(
  driver: MemoryDriver,
  id: string,
  { clock, random, untakable }: { clock: ManualClock; random: Random; untakable?: number },
): StubbornEquipment {
  const step = random.pick([0, 0, 1, 5])
  const noise = random.pick([0, 0, 0, 0.4])
  const equipment: StubbornEquipment = {
    untakable,
    mood: 'willing',
    kept: (value) => (step === 0 ? value : Math.round(value / step) * step),
    noise,
  }
  const set = (raw: Writable) => driver.points.set(id, typeof raw === 'number' ? equipment.kept(raw) : raw)
  const temporary = (what: string) => new Failure('offline', `${what}: exception 6`)

  driver.showing = (_id, raw: Raw) => (noise === 0 ? raw : Number(raw) + random.pick([-noise, 0, noise]))
  driver.beforeWrite = (_id, raw) => {
    const { mood } = equipment
    if (mood === 'refuses' || raw === untakable) throw new Failure('rejected', 'exception 3')
    if (mood === 'busy-writes' || mood === 'busy') throw temporary('write')
  }
  driver.keeps = (_id, raw) => {
    const { mood } = equipment
    const before = driver.points.get(id)
    if (mood === 'ignores') return undefined
    if (mood === 'late' || mood === 'slow') {
      clock.after(mood === 'late' ? LATE_MS : SLOW_MS, () => set(raw))
      return undefined
    }
    if (mood === 'falls-back' && before !== undefined) {
      clock.after(FALL_BACK_MS, () => driver.points.set(id, before))
    }
    return typeof raw === 'number' ? equipment.kept(raw) : raw
  }
  driver.afterWrite = () => {
    const { mood } = equipment
    if (mood === 'late' || mood === 'loses-answers') throw new Failure('offline', 'no answer')
  }
  return equipment
}

/** Changes the mood, and what goes with it. */
export function turn(driver: MemoryDriver, id: string, equipment: StubbornEquipment, mood: Mood): void {
  equipment.mood = mood
  driver.cut = mood === 'cut-off' ? 'cut off' : undefined
  if (mood === 'busy-reads' || mood === 'busy') driver.unreadable.set(id, 'exception 6')
  else driver.unreadable.delete(id)
}
