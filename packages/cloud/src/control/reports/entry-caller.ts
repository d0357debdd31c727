import type { ReportCaller } from '@plantroom/contract/reports'
import { storable } from '../../platform/db/storable-text.ts'

/** Longer than any id, name or reason that a controller keeps. */
const MAX_TEXT = 255

/**
 * Reads who placed or cancelled an override from an entry of a device. Returns `null` when the entry does not say it, as
 * entries of earlier versions. Never rejects: an entry must not be lost because of a name.
 */
export function readCaller(value: unknown): ReportCaller | null {
  if (typeof value !== 'object' || value === null) return null
  const { id, name, reason } = value as Partial<Record<keyof ReportCaller, unknown>>
  const caller = { id: boundedText(id), name: boundedText(name), reason: boundedText(reason) }
  return caller.id === null ? null : caller
}

/** Text that the database can store, or `null` when there is none. Reasons are free text of a caller. */
function boundedText(text: unknown): string | null {
  if (typeof text !== 'string' || text === '') return null
  return storable(text.slice(0, MAX_TEXT))
}
