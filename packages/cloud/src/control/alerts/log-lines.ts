import { redact } from '@plantroom/base/redact'
import { formatTimestamp } from '@plantroom/contract/timestamp'

/** The fields of a line that a report shows. Others may name people. */
const SHOWN = ['device', 'connection', 'kind', 'attempt', 'attempts', 'count', 'error', 'statusCode'] as const
const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}
const LONGEST = 1000

/** An id of an organization, a site or a device. */
const TENANT_ID = /\b(?:org|site|dev)_[0-9a-z]{20}\b/g

interface Tenant {
  orgId: string
  siteId: string
  deviceIds: readonly string[]
}

/**
 * Returns the lines of the service's log that concern a site, oldest first, without secrets. A line that also names
 * another site or organization is left out: it is not for this reader.
 */
export function linesAbout(lines: readonly string[], { orgId, siteId, deviceIds }: Tenant, most: number) {
  const own = new Set([siteId, ...deviceIds])
  const about = lines.filter((line) => {
    const ids = line.match(TENANT_ID) ?? []
    return ids.some((id) => own.has(id)) && ids.every((id) => own.has(id) || id === orgId)
  })
  return about.slice(-most).flatMap((line) => shown(line) ?? [])
}

function shown(line: string): { at: string; level: string; message: string } | undefined {
  let event: Record<string, unknown>
  try {
    event = JSON.parse(line) as typeof event
  } catch {
    return undefined
  }
  const { time, level, msg, err } = event
  if (typeof time !== 'number') return undefined
  const cause = (err as { message?: unknown } | null | undefined)?.message
  const facts = SHOWN.flatMap((name) => {
    const value = event[name]
    return typeof value === 'string' || typeof value === 'number' ? [`${name}=${value}`] : []
  })
  const parts = [msg, ...(typeof cause === 'string' ? [`error=${cause}`] : []), ...facts]
  return {
    at: formatTimestamp(time),
    level: LEVELS[Number(level)] ?? String(level),
    message: redact(parts.filter((part) => typeof part === 'string').join(' · ')).slice(0, LONGEST),
  }
}
