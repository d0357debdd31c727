import type { LimitRequest } from '@plantroom/contract/fleet-limit'
import { DEFAULT_AVERAGING_SECONDS } from '@plantroom/contract/power-limit'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { duration, finiteNumber } from '../../arguments.ts'
import { flag, repeated, UsageError, valued } from '../../command.ts'
import { moment, onlyOneOf } from '../fleet/dispatch-request.ts'

/** The flags of `plantroom limit place` that describe a limit. */
export const LIMIT_FLAGS = {
  site: valued('SITE', 'limit this site', { completes: 'site' }),
  device: repeated('DEVICE', 'instead: limit this controller. May be repeated: then --kw is the total', {
    completes: 'device',
  }),
  tag: repeated('TAG', 'instead: limit the sites with this tag together. May be repeated'),
  kw: valued('N', 'the limit in kW'),
  export: flag('limit the power into the grid instead of the power from it'),
  to: valued('TIME', 'when it ends'),
  for: valued('DURATION', 'instead: how long'),
  from: valued('TIME', 'start later than now'),
  'every-reading': flag('every reading counts, instead of the mean of each quarter of an hour'),
  deadline: valued('TIME', 'until when to try to reach controllers'),
  reason: valued('TEXT', 'why, kept with the limit, up to 200 characters'),
  'idempotency-key': valued(
    'KEY',
    'repeat a limit that may have arrived: the same key is the same limit. Give --to as a time',
  ),
} as const

type Flags = {
  [Name in keyof typeof LIMIT_FLAGS]?:
    | ((typeof LIMIT_FLAGS)[Name] extends { multiple: true }
        ? string[]
        : (typeof LIMIT_FLAGS)[Name] extends { type: 'boolean' }
          ? boolean
          : string)
    | undefined
}

/** Returns the limit that the flags describe. The service validates it. Throws a `UsageError`. */
export function limitRequest(flags: Flags, now: number): LimitRequest {
  const { site: siteId, device: deviceIds, tag: tags, reason } = flags
  onlyOneOf('what to limit', ['--site SITE', siteId], ['--device DEVICE', deviceIds], ['--tag TAG', tags])
  if (flags.kw === undefined) throw new UsageError('give the limit: --kw N')
  onlyOneOf('an end', ['--for DURATION', flags.for], ['--to TIME', flags.to])
  const from = flags.from === undefined || flags.from === 'now' ? undefined : moment(flags.from, '--from', now)
  const to =
    flags.for === undefined ? moment(flags.to ?? '', '--to', now) : (from ?? now) + duration(flags.for, '--for')
  return {
    idempotencyKey: flags['idempotency-key'] ?? crypto.randomUUID(),
    ...(siteId !== undefined && { siteId }),
    ...(deviceIds && { deviceIds }),
    ...(tags && { tags }),
    direction: flags.export ? 'export' : 'import',
    kw: finiteNumber(flags.kw, '--kw'),
    ...(from !== undefined && { from: formatTimestamp(from) }),
    to: formatTimestamp(to),
    averagingSeconds: flags['every-reading'] ? 0 : DEFAULT_AVERAGING_SECONDS,
    ...(flags.deadline !== undefined && { deadline: formatTimestamp(moment(flags.deadline, '--deadline', now)) }),
    ...(reason !== undefined && { reason }),
  }
}
