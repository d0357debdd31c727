import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { Overrides } from '../overrides/overrides.ts'
import type { CommandHandler } from './command.ts'

/** `demandResponseOverride`: checks and saves the override, applies or queues it, then answers. */
export function demandResponseOverride(
  overrides: Overrides,
  /** Reports whether the datapoint is about to be moved or removed. */
  isLeaving: (datapointId: string) => boolean,
): CommandHandler {
  return ({ datapointId, value, from, to }, caller) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw rejected('value is not a finite number')
    const setpoint = { datapointId: String(datapointId), value, from: time('from', from), to: time('to', to) }
    if (isLeaving(setpoint.datapointId)) {
      throw rejected(
        `datapoint ${shown(setpoint.datapointId)} is being commissioned; send the command again in a moment`,
      )
    }
    return overrides.place(setpoint, caller)
  }
}

/** `demandResponseCancel`: releases the datapoint to the next writer immediately. */
export function demandResponseCancel(overrides: Overrides): CommandHandler {
  return ({ id }, caller) => overrides.cancel(String(id), caller)
}

function time(field: string, text: unknown): number {
  const parsed = parseTimestamp(String(text))
  if (parsed === undefined) throw rejected(`${field} is not a time with a zone`)
  return parsed
}

const rejected = (message: string) => new Failure('rejected', message)
