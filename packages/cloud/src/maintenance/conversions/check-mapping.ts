import type { Mapping } from '@plantroom/contract/conversion'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { isTimeZone } from '@plantroom/contract/site-time'

/** A spreadsheet has at most 16,384 columns. */
const MAX_ENTRIES = 20_000
/** An analysis lists states and priorities of up to 400,000 characters each, beside the names of columns. */
const MAX_CHARACTERS = 2_000_000

/** The body limit of routes that take a mapping: however its texts are escaped. */
export const MAPPING_BODY_BYTES = 8 * 1024 * 1024

/** Throws `invalid` for a mapping that no conversion can use or that is too large to keep. */
export function requireMapping(mapping: Mapping): void {
  const refuse = (field: string, problem: string) => {
    throw new Failure('invalid', `mapping${field} ${problem}`, `mapping${field}`)
  }
  for (const table of ['columns', 'states', 'priorities'] as const) {
    if (Object.keys(mapping[table]).length > MAX_ENTRIES) refuse(`.${table}`, `has more than ${MAX_ENTRIES} entries`)
  }
  const text = JSON.stringify(mapping)
  if (text.length > MAX_CHARACTERS) refuse('', `has more than ${MAX_CHARACTERS} characters: shorten its names`)
  if (!isTimeZone(mapping.timeZone)) {
    refuse('.timeZone', `${shown(mapping.timeZone)} is not a time zone: use a name such as Europe/Tallinn`)
  }
}
