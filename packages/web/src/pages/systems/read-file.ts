import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { systems } from '../../texts/systems.ts'

const texts = systems.load
/** As much as the service takes. */
const MOST_BYTES = 3 * 1024 * 1024

/** Why a file cannot be shown, for whoever wrote it. */
export class FileMistake extends Error {}

/** Reads a commissioning file, JSON or YAML, as far as its changes can be shown; the rest is the service's to judge. */
export async function readCommissioningFile(file: Blob): Promise<CommissioningFile> {
  if (file.size > MOST_BYTES) throw new FileMistake(texts.tooLarge)
  const text = await file.text().catch(() => {
    throw new FileMistake(texts.unreadable)
  })
  return requireShape(await parsed(text))
}

async function parsed(text: string): Promise<unknown> {
  // Only who loads a file needs it.
  const { parse } = await import('yaml')
  try {
    // JSON is YAML. A few aliases are honest; a file that is made of them is a bomb.
    return parse(text, { maxAliasCount: 100 })
  } catch (error) {
    throw new FileMistake(texts.syntax((error as Error).message.split('\n')[0] ?? ''))
  }
}

function requireShape(content: unknown): CommissioningFile {
  if (!isObject(content)) throw new FileMistake(texts.notAnObject)
  const { technicalSystem, connections } = content
  if (typeof technicalSystem !== 'string' || technicalSystem.trim() === '') throw new FileMistake(texts.noName)
  if (!Array.isArray(connections)) throw new FileMistake(texts.noConnections)
  connections.forEach((connection: unknown, index) => {
    if (!isConnection(connection)) throw new FileMistake(texts.badConnection(index))
  })
  if (!isPeakShaving(content.peakShaving)) throw new FileMistake(texts.badPeakShaving)
  if (!areSchedules(content.schedules)) throw new FileMistake(texts.badSchedules)
  return content as unknown as CommissioningFile
}

function isObject(content: unknown): content is Record<string, unknown> {
  return typeof content === 'object' && content !== null && !Array.isArray(content)
}

function isPeakShaving(content: unknown): boolean {
  if (content === undefined) return true
  if (!isObject(content) || typeof content.meter !== 'string' || !Array.isArray(content.loads)) return false
  return content.loads.every((load) => isObject(load) && typeof load.datapoint === 'string')
}

function areSchedules(content: unknown): boolean {
  if (content === undefined) return true
  return Array.isArray(content) && content.every(isSchedule)
}

function isSchedule(content: unknown): boolean {
  if (!isObject(content) || typeof content.name !== 'string' || typeof content.datapoint !== 'string') return false
  return Array.isArray(content.slots) && content.slots.every((slot) => isObject(slot) && Array.isArray(slot.days))
}

function isConnection(content: unknown): boolean {
  if (!isObject(content) || typeof content.name !== 'string' || !Array.isArray(content.datapoints)) return false
  return content.datapoints.every((datapoint) => isObject(datapoint) && typeof datapoint.name === 'string')
}
