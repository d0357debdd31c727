import type { Raw, Reading } from '../../driver.ts'
import type { Points } from './connection.ts'

/** Calls to a driver, and their expected results. JSON has no bigint, so that one is written as `"9n"`. */
export interface Case {
  settings?: Record<string, unknown>
  points: Points
  /** The reason if opening is expected to fail. */
  opening?: string
  does: Step[]
}

export type Step =
  | { read: string[]; urgent?: boolean; gives?: WrittenReading[] }
  | { write: [id: string, raw: number]; fails?: { kind: string; message: string } }

export type WrittenReading = { raw: number | string; image?: string } | { error: string; image?: string }

export function written(reading: Reading): WrittenReading {
  return 'raw' in reading ? { ...reading, raw: writtenRaw(reading.raw) } : reading
}

const writtenRaw = (raw: Raw) => (typeof raw === 'bigint' ? `${raw}n` : raw)
