import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { format } from '../../texts/format.ts'
import { systems } from '../../texts/systems.ts'

const texts = systems.load
/** The limit of the service. */
const MAX_BYTES = 3 * 1024 * 1024

/** Why a file cannot be read; the message is for its author. */
export class CommissioningFileError extends Error {}

/** Reads a JSON or YAML file far enough to show its changes. The service validates the rest. */
export async function readCommissioningFile(file: Blob): Promise<CommissioningFile> {
  if (file.size > MAX_BYTES) throw new CommissioningFileError(texts.tooLarge)
  const text = await file.text().catch(() => {
    throw new CommissioningFileError(texts.unreadable)
  })
  return requireShape(await parsed(text))
}

async function parsed(text: string): Promise<unknown> {
  // Loaded on demand: few visitors load a file.
  const { parse } = await import('yaml')
  try {
    // JSON is YAML. A file made of aliases could expand without bounds.
    return parse(text, { maxAliasCount: 100 })
  } catch (error) {
    throw new CommissioningFileError(format(texts.syntax, { reason: (error as Error).message.split('\n')[0] ?? '' }))
  }
}

function requireShape(content: unknown): CommissioningFile {
  if (!isObject(content)) throw new CommissioningFileError(texts.notAnObject)
  const { technicalSystem, connections } = content
  if (typeof technicalSystem !== 'string' || technicalSystem.trim() === '')
    throw new CommissioningFileError(texts.noName)
  if (!Array.isArray(connections)) throw new CommissioningFileError(texts.noConnections)
  connections.forEach((connection: unknown, index) => {
    if (!isConnection(connection))
      throw new CommissioningFileError(format(texts.badConnection, { index: String(index) }))
  })
  if (!isPeakShaving(content.peakShaving)) throw new CommissioningFileError(texts.badPeakShaving)
  if (!areSchedules(content.schedules)) throw new CommissioningFileError(texts.badSchedules)
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

/** One error of a file and its path. */
interface FileError {
  /** Empty when the service gave none. */
  path: string
  message: string
}

// Every error starts with a path; a message may contain a semicolon itself.
const BETWEEN = /; (?=[A-Za-z]+(?:\[\d+\]|\.[A-Za-z0-9_-]+)*: )/
const ONE = /^([A-Za-z]+(?:\[\d+\]|\.[A-Za-z0-9_-]+)*):? (.*)$/s

/** Parses a message of the service, `path: message; path: message`, into its errors. */
export function fileErrorsIn(message: string): FileError[] {
  return message.split(BETWEEN).map((one) => {
    const [, path, rule] = ONE.exec(one) ?? []
    const isPath = path !== undefined && rule !== undefined && (/[.[]/.test(path) || one.startsWith(`${path}:`))
    return isPath ? { path, message: rule } : { path: '', message: one }
  })
}

/** Returns the file name of a system, in characters that every file system accepts. */
export function fileNameOf(system: string): string {
  const plain = system
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
  return `${plain || 'technical-system'}.json`
}
