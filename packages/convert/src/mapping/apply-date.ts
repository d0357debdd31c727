import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { isDoubtful, readDate } from '../text/dates.ts'
import type { ApplyDeps, Cell } from './cell.ts'
import type { CompiledMapping } from './compile.ts'

const DOUBTS = {
  repeated: { code: 'earlier-moment' },
  skipped: { code: 'later-moment' },
} as const

/** Reads a date of a column or a comment. Adds a problem for one that cannot be read, and accounts for one in doubt. */
export function dateOf({ place, column, value }: Cell, { mapping, account, problems }: ApplyDeps): string | undefined {
  const moment = readDate(value, mapping.dates)
  if (moment === undefined) {
    problems.add({ place, column, message: describeWrongDate(value, mapping) })
    return undefined
  }
  if (moment === null) {
    account.add(place, column, value, { code: 'left-out-no-date' })
    return undefined
  }
  if (mapping.dates.order === undefined && isDoubtful(value)) {
    problems.addOnce({ place, column, message: describeDoubt(value) })
    return undefined
  }
  if (moment.doubt) account.add(place, column, value, DOUBTS[moment.doubt])
  return formatTimestamp(moment.ms)
}

const OTHER_ORDER = { dmy: 'mdy', mdy: 'dmy' } as const

/** One message for all dates of a source: the order of one is that of the others. */
const describeDoubt = (value: string) =>
  `${shown(value, 60)} and other dates fit two orders; set dateOrder to dmy or mdy (--date-order on the command line)`

function describeWrongDate(value: string, { dates }: CompiledMapping): string {
  const other = dates.order && OTHER_ORDER[dates.order]
  const remedy =
    other && readDate(value, { ...dates, order: other })
      ? `set dateOrder to ${other}, or correct it`
      : 'correct it, or map the column to description+'
  return `${shown(value, 60)} is not a date; ${remedy}`
}
