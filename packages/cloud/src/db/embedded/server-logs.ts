import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from './layout.ts'

const LONGEST_READ = 64 * 1024

/** How long each log is now, for `logsSince`. */
export function logSizes({ serverLogs }: Layout): ReadonlyMap<string, number> {
  try {
    return new Map(readdirSync(serverLogs).map((name) => [name, statSync(join(serverLogs, name)).size]))
  } catch {
    return new Map()
  }
}

/** What the server wrote since: first what went to the start log (emptied at every start), then its own logs. */
export function logsSince(layout: Layout, before: ReadonlyMap<string, number>): string {
  const parts = [readFrom(layout.startLog, 0)]
  for (const [name, size] of logSizes(layout)) {
    const from = before.get(name) ?? 0
    if (size !== from) parts.push(readFrom(join(layout.serverLogs, name), size > from ? from : 0))
  }
  // Where the server says that it goes on in its own log, it has not complained yet.
  return parts.join('\n').replaceAll(/^.*(redirecting log output|Future log output).*$/gm, '')
}

function readFrom(path: string, position: number): string {
  const buffer = Buffer.alloc(LONGEST_READ)
  try {
    const file = openSync(path, 'r')
    try {
      return buffer.toString('utf8', 0, readSync(file, buffer, 0, LONGEST_READ, position))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}
