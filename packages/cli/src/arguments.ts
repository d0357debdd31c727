import { schemaExpression } from '@plantroom/contract/expressions'
import { UUID } from '@plantroom/contract/patterns'
import { formatTimestamp, parseTimestamp } from '@plantroom/contract/timestamp'
import { UsageError } from './command.ts'

// Number() also accepts '' and '0x10', which nobody means as a setpoint.
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const DURATION = /^(\d{1,6}(?:\.\d+)?)(s|m|h)$/
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** Parses a decimal number. Like all functions here, it throws a `UsageError` about `what` if the text is invalid. */
export function finiteNumber(text: string, what: string): number {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(value)) throw new UsageError(`${what} ${text} is not a number such as -20 or 21.5`)
  return value
}

export function positiveNumber(text: string, what: string): number {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN
  if (!(value > 0 && Number.isFinite(value))) throw new UsageError(`${what} ${text} is not a number above 0`)
  return value
}

export function wholeNumber(text: string, what: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : 0
  if (!(value >= 1 && Number.isSafeInteger(value)))
    throw new UsageError(`${what} ${text} is not a whole number above 0`)
  return value
}

/** Returns milliseconds since 1970. */
export function timestamp(text: string, what: string): number {
  const ms = parseTimestamp(text)
  if (ms === undefined) {
    throw new UsageError(`${what} ${text} is not a time with seconds and a zone such as 2026-03-01T12:00:00Z`)
  }
  return ms
}

/** Returns `--from` and `--to` in the service's format, without those that were not given. */
export function rangeOf(flags: { from?: string | undefined; to?: string | undefined }): { from?: string; to?: string } {
  return {
    ...(flags.from !== undefined && { from: formatTimestamp(timestamp(flags.from, '--from')) }),
    ...(flags.to !== undefined && { to: formatTimestamp(timestamp(flags.to, '--to')) }),
  }
}

/** Returns milliseconds, at least 1. */
export function duration(text: string, what: string): number {
  const [, amount = '', unit = ''] = DURATION.exec(text) ?? []
  const ms = Math.round(Number(amount) * (UNIT_MS[unit] ?? 0))
  if (!(ms > 0)) throw new UsageError(`${what} ${text} is not a duration such as 90s, 15m or 2h`)
  return ms
}

export function uuid(text: string, what: string): string {
  if (!schemaExpression(UUID).test(text)) throw new UsageError(`${what} ${text} is not a UUID`)
  return text
}

export function oneOf<const Choice>(choices: readonly Choice[], text: string, what: string): Choice {
  const found = choices.find((choice) => String(choice) === text)
  if (found === undefined) throw new UsageError(`${what} must be one of ${choices.join(', ')}, not ${text}`)
  return found
}
