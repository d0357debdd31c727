import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from './layout.ts'

const MAX_READ = 64 * 1024

/** The current size of each log, for `logsSince`. */
export function logSizes({ serverLogs }: Layout): ReadonlyMap<string, number> {
  try {
    return new Map(readdirSync(serverLogs).map((name) => [name, statSync(join(serverLogs, name)).size]))
  } catch {
    return new Map()
  }
}

/** Returns what the server wrote since: first the start log (emptied at every start), then its own logs. */
export function logsSince(layout: Layout, before: ReadonlyMap<string, number>): string {
  const parts = [readFrom(layout.startLog, 0)]
  for (const [name, size] of logSizes(layout)) {
    const from = before.get(name) ?? 0
    if (size !== from) parts.push(readFrom(join(layout.serverLogs, name), size > from ? from : 0))
  }
  // The lines in which the server announces its own log are not errors.
  return parts.join('\n').replaceAll(/^.*(redirecting log output|Future log output).*$/gm, '')
}

function readFrom(path: string, position: number): string {
  const buffer = Buffer.alloc(MAX_READ)
  try {
    const file = openSync(path, 'r')
    try {
      return buffer.toString('utf8', 0, readSync(file, buffer, 0, MAX_READ, position))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

/** Finds the line in a log with the reason a server or `initdb` failed, without its prefix. */
export function lastError(log: string): string | undefined {
  const lines = log.split('\n').filter((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => ERROR_LINE.test(line))
  if (last < 0) return lines.at(-1)?.trim()
  const error = textOf(lines[last])
  // "contains errors" names a file; the line before it contains the error.
  const before = lines[last - 1]
  return error.includes('contains errors') && before ? `${textOf(before)}; ${error}` : error
}

const ERROR_LINE = /\b(?:FATAL|PANIC|ERROR|error): /
const PREFIX = /^.*?\b(?:FATAL|PANIC|ERROR|LOG|error):\s+/

function textOf(line = ''): string {
  return line.replace(PREFIX, '').trim()
}
