import type { DispatchRequest } from '@plantroom/contract/fleet'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { duration, finiteNumber, timestamp } from '../../arguments.ts'
import { repeated, UsageError, valued } from '../../command.ts'

/** The flags of `plantroom fleet dispatch` that describe a dispatch. */
export const DISPATCH_FLAGS = {
  tag: repeated(
    'TAG',
    'control datapoints with this tag. This and the next three narrow each other and may be repeated',
  ),
  device: repeated('DEVICE', 'control datapoints of this device', { completes: 'device' }),
  site: repeated('SITE', 'control datapoints of this site', { completes: 'site' }),
  datapoint: repeated('ID', 'control this datapoint'),
  value: valued('N', 'the value of every datapoint, in its engineering units'),
  'total-kw': valued('N', 'instead: a total that is split by commissioned capacity'),
  to: valued('TIME', 'when it ends'),
  for: valued('DURATION', 'instead: how long'),
  from: valued('TIME', 'start later than now'),
  within: valued('DURATION', 'how long to try to reach controllers; 60s by default'),
  deadline: valued('TIME', 'instead: until when to try'),
  stagger: valued('DURATION', 'spread the starts evenly over this time'),
  reason: valued('TEXT', 'why, kept with each override, up to 200 characters'),
  'idempotency-key': valued(
    'KEY',
    'repeat a dispatch that may have arrived: the same key is the same dispatch. Give --to and --deadline as times',
  ),
} as const

type Flags = {
  [Name in keyof typeof DISPATCH_FLAGS]?: (typeof DISPATCH_FLAGS)[Name] extends { multiple: true }
    ? string[] | undefined
    : string | undefined
}

const USUAL_DEADLINE_MS = 60_000
const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)$/

/** Returns the dispatch that the flags describe. The service validates it. Throws a `UsageError`. */
export function dispatchRequest(flags: Flags, now: number): DispatchRequest {
  const { tag: tags, device: deviceIds, site: siteIds, datapoint: datapointIds, reason } = flags
  if (!tags && !deviceIds && !siteIds && !datapointIds) {
    throw new UsageError('say what to control: --tag TAG, --device ID, --site ID or --datapoint ID')
  }
  const [value, totalKw] = [flags.value, flags['total-kw']]
  onlyOneOf('a setpoint', ['--value N', value], ['--total-kw N', totalKw])
  const from = flags.from === undefined || flags.from === 'now' ? undefined : moment(flags.from, '--from', now)
  onlyOneOf('an end', ['--for DURATION', flags.for], ['--to TIME', flags.to])
  const to =
    flags.for === undefined ? moment(flags.to ?? '', '--to', now) : (from ?? now) + duration(flags.for, '--for')
  return {
    idempotencyKey: flags['idempotency-key'] ?? crypto.randomUUID(),
    select: {
      ...(tags && { tags }),
      ...(deviceIds && { deviceIds }),
      ...(siteIds && { siteIds }),
      ...(datapointIds && { datapointIds }),
    },
    ...(value !== undefined && { value: finiteNumber(value, '--value') }),
    ...(totalKw !== undefined && { totalKw: finiteNumber(totalKw, '--total-kw') }),
    ...(from !== undefined && { from: formatTimestamp(from) }),
    to: formatTimestamp(to),
    deadline: formatTimestamp(deadlineOf(flags, now, to)),
    ...(flags.stagger !== undefined && { staggerSeconds: Math.ceil(duration(flags.stagger, '--stagger') / 1000) }),
    ...(reason !== undefined && { reason }),
  }
}

function deadlineOf(flags: Flags, now: number, to: number): number {
  if (flags.deadline !== undefined && flags.within !== undefined) {
    throw new UsageError('give only one of --deadline TIME and --within DURATION')
  }
  if (flags.deadline !== undefined) return moment(flags.deadline, '--deadline', now)
  return flags.within === undefined ? Math.min(to, now + USUAL_DEADLINE_MS) : now + duration(flags.within, '--within')
}

/** Throws a `UsageError` unless exactly one of several options is given. */
export function onlyOneOf(what: string, ...choices: readonly (readonly [string, unknown])[]): void {
  const given = choices.filter(([, value]) => value !== undefined)
  if (given.length === 1) return
  const names = choices.map(([name]) => name).join(' or ')
  throw new UsageError(given.length === 0 ? `give ${what}: ${names}` : `give only one: ${names}`)
}

/** A time with a zone, or the next `HH:MM` of this machine's time zone. */
export function moment(text: string, what: string, now: number): number {
  const [, hours, minutes] = TIME_OF_DAY.exec(text) ?? []
  if (hours === undefined) return timestamp(text, what)
  const time = new Date(now)
  time.setHours(Number(hours), Number(minutes), 0, 0)
  if (time.getTime() <= now) time.setDate(time.getDate() + 1)
  return time.getTime()
}
