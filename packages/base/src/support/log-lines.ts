import { execFile } from 'node:child_process'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { getSystemErrorMap, promisify } from 'node:util'
import { scrubText } from './scrub.ts'

/** Enough to see how a program got into trouble. */
const LINES = 500
const TAIL_BYTES = 256 * 1024
/** The words of a program: its name, the state or the kind of a thing. A sentence or a name of a person has another form. */
const WORD_FIELDS: ReadonlySet<string> = new Set(['name', 'code', 'kind', 'state', 'status', 'method'])
const WORD = /^[A-Za-z][a-z0-9_-]{0,30}$|^[A-Z0-9_]{2,30}$/
/** Free text of others, which may repeat anything: only the names of system errors stay. */
const ERROR_FIELDS: ReadonlySet<string> = new Set(['error', 'reason', 'message'])
/** Of a field. A map by names of people would have others. */
const KEY = /^[a-z][A-Za-z0-9_]{0,40}$/
const SYSTEM_ERRORS: ReadonlySet<string> = new Set([...getSystemErrorMap().values()].map(([code]) => code))

/** A log with the lines that may leave the machine. */
export interface FoundLog {
  name: string
  lines: string[]
}

/** Finds the last lines of our logs: in the folder `logs` of the data folder, and in the journal of systemd. */
export async function findLogs(folder: string, units: readonly string[]): Promise<FoundLog[]> {
  const logs = join(folder, 'logs')
  const names = (await readdir(logs).catch(() => [])).filter((name) => /^[a-z-]+\.log$/.test(name)).toSorted()
  const files = names.map(async (name) => ({ name, lines: cleanLines(await tailOf(join(logs, name))) }))
  const journals = units.map(async (unit) => ({ name: `${unit}.log`, lines: cleanLines(await journalOf(unit)) }))
  return (await Promise.all([...files, ...journals])).filter(({ lines }) => lines.length > 0)
}

async function tailOf(path: string): Promise<string> {
  try {
    await using file = await open(path)
    const { size } = await file.stat()
    const from = Math.max(0, size - TAIL_BYTES)
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - from), position: from })
    return buffer.toString('utf8', 0, bytesRead)
  } catch {
    return ''
  }
}

async function journalOf(unit: string): Promise<string> {
  const args = ['--unit', unit, '--lines', String(LINES), '--output', 'cat', '--no-pager', '--quiet']
  const options = { timeout: 5_000, maxBuffer: 16 * 1024 * 1024 }
  return promisify(execFile)('journalctl', args, options).then(
    ({ stdout }) => stdout,
    () => '',
  )
}

/** The last lines, reduced to what may leave the machine. Lines that are no events of ours are only counted. */
export function cleanLines(text: string): string[] {
  const all = text.split('\n').filter((line) => line.trim() !== '')
  const cleaned = all.slice(-LINES).map(cleanLine)
  const kept = cleaned.filter((line) => line !== undefined)
  const left = cleaned.length - kept.length
  return left === 0 ? kept : [...kept, `(${left} lines that are no log events are left out)`]
}

function cleanLine(line: string): string | undefined {
  let event: unknown
  try {
    event = JSON.parse(line)
  } catch {
    return undefined
  }
  return typeof event === 'object' && event !== null && 'msg' in event ? JSON.stringify(cleanEvent(event)) : undefined
}

/** Numbers and switches stay; of texts, only what the program itself wrote. */
function cleanEvent(event: object): object {
  const { msg, err } = event as { msg?: unknown; err?: { message?: unknown } }
  // Without a message of its own, an event repeats the one of its error.
  const own = typeof msg === 'string' && msg !== err?.message ? { msg: scrubText(msg) } : {}
  return { ...cleanFields(event, true), ...own }
}

function cleanFields(fields: object, isOutermost: boolean): object {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]): [string, unknown][] => {
      if (!KEY.test(key)) return []
      if (typeof value === 'number' || typeof value === 'boolean') return [[key, value]]
      if (typeof value === 'string') return cleanText(key, value, isOutermost)
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
      const inner = cleanFields(value, false)
      return Object.keys(inner).length > 0 ? [[key, inner]] : []
    }),
  )
}

function cleanText(key: string, value: string, isOutermost: boolean): [string, string][] {
  // Inside of an object, a name is that of a person or a thing.
  if (WORD_FIELDS.has(key) && WORD.test(value) && (isOutermost || key === 'code')) return [[key, value]]
  if (!ERROR_FIELDS.has(key)) return []
  const codes = (value.match(/\bE[A-Z0-9_]+\b/g) ?? []).filter((code) => SYSTEM_ERRORS.has(code))
  return codes.length > 0 ? [[key, codes.join(' ')]] : []
}
