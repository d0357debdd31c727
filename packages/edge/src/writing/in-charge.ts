import type { SourceInCharge } from '@plantroom/contract/reports'
import type { Place } from '../connections/connections.ts'
import { readingValue } from './equipment.ts'

/** Returns what the equipment follows instead of us, for the audit and in words; `undefined` when nothing is known to be. */
export async function findInCharge({
  connection,
  datapoint,
}: Place): Promise<{ source: SourceInCharge; text: string } | undefined> {
  const found = await connection.inCharge(datapoint.id)
  if (!found) return undefined
  const { name, priority, ours, reading, outranks } = found
  const value = readingValue(reading, datapoint)
  const held = value === null ? '' : ` holds ${value} and`
  const has = outranks ? `outranks ours, which is ${ours}` : `has the datapoint, because ours, ${ours}, is empty`
  return { source: { priority, value, outranks }, text: `${name}${held} ${has}` }
}
