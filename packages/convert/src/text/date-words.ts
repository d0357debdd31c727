import { folded } from './folded.ts'
import { numberIn } from './numbers.ts'

/**
 * First letters of the months in English, German, French, Spanish, Portuguese, Italian, Dutch, Polish and Estonian,
 * without accents. A word counts for the first month that fits.
 */
const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'jaan', 'jaen', 'ene', 'gen', 'sty'],
  ['feb', 'fev', 'vee', 'veb', 'lut'],
  ['mar', 'maar', 'maer', 'mrz', 'mrt'],
  ['apr', 'avr', 'abr', 'kwi'],
  ['may', 'mai', 'mei', 'maj', 'mag'],
  ['jun', 'juin', 'juun', 'giu', 'cze'],
  ['jul', 'jui', 'juul', 'lug', 'lip'],
  ['aug', 'aou', 'ago', 'sie'],
  ['sep', 'set', 'wrz'],
  ['oct', 'okt', 'out', 'ott', 'paz'],
  ['nov', 'lis'],
  ['dec', 'dez', 'det', 'dic', 'gru'],
]

/** Zones that RFC 2822 names, and those that programs of our users write. */
const OFFSETS: Readonly<Record<string, number>> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, wet: 0, west: 60, cet: 60, mez: 60, cest: 120, mesz: 120, eet: 120, eest: 180 },
  ...{ est: -300, edt: -240, cst: -360, cdt: -300, mst: -420, mdt: -360, pst: -480, pdt: -420 },
}

/** Returns the number of a month from its name, 1 to 12. */
export function monthOf(name: string | undefined): number | undefined {
  const word = folded(name ?? '')
  const index = MONTHS.findIndex((starts) => starts.some((start) => word.startsWith(start)))
  return index === -1 ? undefined : index + 1
}

const NUMERIC = /^(?:utc|gmt)?\s*([+-])(\d{1,2}):?(\d{2})?$/i
/** RFC 2822 may repeat the zone as a comment. */
const COMMENT = /(?<!\s)\s*\([^()]*\)$/

/** Returns the minutes east of UTC that a zone means: `Z`, `+03:00`, `GMT+3`, `EEST`, `+0300 (EEST)`. */
export function offsetOf(text: string): number | undefined {
  const zone = text.replace(COMMENT, '').trim()
  const numeric = NUMERIC.exec(zone)
  if (!numeric) return Object.hasOwn(OFFSETS, zone.toLowerCase()) ? OFFSETS[zone.toLowerCase()] : undefined
  const hours = numberIn(numeric[2])
  const minutes = numberIn(numeric[3] ?? 0)
  if (hours > 14 || minutes > 59) return undefined
  return (numeric[1] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
