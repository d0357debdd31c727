import { type Clock, sleep, systemClock } from '@plantroom/base/clock'
import type { Client } from '@plantroom/client/client'
import { ApiError } from '@plantroom/client/http'
import { collectItems } from '@plantroom/client/pages'
import { OUTCOMES } from '@plantroom/contract/fleet'
import type { FleetLimit, LimitOutcome } from '@plantroom/contract/fleet-limit'
import { rangeOf } from '../../arguments.ts'
import { fleetClient } from '../../clients.ts'
import { COMMON_FLAGS, flag, ReportedFailure, UsageError, valued } from '../../command.ts'
import { command, verb } from '../../declare.ts'
import { print, table } from '../../output.ts'
import { INTERVAL_COLUMNS, intervalsCsv, intervalsOf, intervalsTable } from './limit-intervals.ts'
import { LIMIT_FLAGS, limitRequest } from './limit-request.ts'

const LOOK_MS = 500
/** How long `place` and `release` wait for controllers that are online. The service goes on without them. */
const WAIT_MS = 15_000
const PAGE = 1000
const ID = { name: 'ID', about: 'the id of the limit' } as const

export const limit = command('limit', {
  group: 'control',
  about: 'limit the power of sites, and show the proof that limits were kept',
  notes: `TIME is a time with a zone (2026-03-01T12:00:00Z); place also takes the next time of day of this machine (18:00).
DURATION is a number with a unit: 90s, 15m or 2h. place needs an API key; names of devices and sites also need the admin token.`,
  verbs: {
    place: verb({
      about: 'limit the power of a site, or of several together; exits with 1 unless all controllers accept it',
      synopsis: '--site SITE --kw N --to TIME',
      options: { ...COMMON_FLAGS, ...LIMIT_FLAGS },
      json: 'the limit with counts and outcomes',
      examples: ['plantroom limit place --site "Main building" --kw 60 --from 17:00 --for 2h'],
      async run({ device, ...flags }) {
        const body = limitRequest({ ...flags, device }, systemClock.now())
        const { client, orgId, deviceIds, siteIds } = await fleetClient(flags, 'key')
        const [devices, sites] = [
          await deviceIds(body.deviceIds),
          await siteIds(body.siteId === undefined ? undefined : [body.siteId]),
        ]
        const named = { ...body, ...(devices && { deviceIds: devices }), ...(sites?.[0] && { siteId: sites[0] }) }
        const { id } = await client.placeLimit({ orgId, body: named }).catch((error: Error) => {
          // Without an answer, the limit may have been stored. A refusal says that it was not.
          const isRefused = error instanceof ApiError && error.status < 500
          if (!isRefused) error.message += `; to repeat it safely, add --idempotency-key ${body.idempotencyKey}`
          throw error
        })
        await waitFor(client, { orgId, limitId: id }, ({ state }) => state !== 'running', systemClock)
        await show(client, { orgId, limitId: id }, flags.json)
      },
    }),
    list: verb({
      about: 'list limits that are queued or in force, newest first',
      options: {
        ...COMMON_FLAGS,
        site: valued('SITE', 'only limits of this site', { completes: 'site' }),
        all: flag('also those that are over or released'),
      },
      json: '[{id, state, direction, kw, from, to, counts, …}]',
      async run(flags) {
        const { client, orgId, siteIds } = await fleetClient(flags)
        const siteId = (await siteIds(flags.site === undefined ? undefined : [flags.site]))?.[0]
        const query = {
          ...(siteId !== undefined && { siteId }),
          ...(!flags.all && { active: 'true' as const }),
          limit: 100,
        }
        const limits = await collectItems(
          (cursor) => client.listLimits({ orgId, query: { ...query, cursor } }),
          ({ limits: page }) => page,
        )
        print(flags.json, limits, () => limitsTable(limits))
      },
    }),
    show: verb({
      about: 'show a limit: the share of each controller, and each interval with what limited it',
      arguments: [ID],
      options: { ...COMMON_FLAGS, csv: flag(`print the intervals as CSV: ${INTERVAL_COLUMNS.join()}`) },
      json: 'the limit with counts, outcomes and intervals',
      async run(flags, { ID: limitId }) {
        if (flags.csv && flags.json) throw new UsageError('give only one of --csv and --json')
        const { client, orgId } = await fleetClient(flags)
        const { outcomes, ...found } = await load(client, { orgId, limitId })
        const intervals = await intervalsOf(client, orgId, { ...found, outcomes })
        if (flags.csv) return console.log(intervalsCsv(intervals))
        print(flags.json, { ...found, outcomes, intervals }, () =>
          [describeLimit(found, outcomes), '', intervalsTable(intervals)].join('\n'),
        )
      },
    }),
    release: verb({
      about: 'release a limit; safe to repeat',
      arguments: [ID],
      options: COMMON_FLAGS,
      json: '{id, state, counts, releasing}',
      async run(flags, { ID: limitId }) {
        const { client, orgId } = await fleetClient(flags)
        await client.releaseLimit({ orgId, limitId })
        const found = await waitFor(client, { orgId, limitId }, ({ releasing }) => releasing === 0, systemClock)
        const { state, counts, releasing } = found
        print(flags.json, { id: limitId, state, counts, releasing }, () => describeReleased(found))
        if (releasing > 0) throw new ReportedFailure()
      },
    }),
    intervals: verb({
      about: 'list the intervals in which a site was limited, oldest first: limit, mean and whether it was kept',
      arguments: [{ name: 'SITE', about: 'by id or name', completes: 'site' }],
      options: {
        ...COMMON_FLAGS,
        from: valued('TIME', 'at or after; by default the last 24 hours'),
        to: valued('TIME', 'before'),
        csv: flag(`print CSV: ${INTERVAL_COLUMNS.join()}`),
      },
      json: `[{${INTERVAL_COLUMNS.join(', ')}, placedBy}]`,
      async run(flags, { SITE }) {
        if (flags.csv && flags.json) throw new UsageError('give only one of --csv and --json')
        const range = rangeOf(flags)
        const { client, orgId, siteIds } = await fleetClient(flags)
        const [siteId = SITE] = (await siteIds([SITE])) ?? []
        const intervals = await collectItems(
          (cursor) => client.listLimitIntervals({ orgId, siteId, query: { ...range, limit: PAGE, cursor } }),
          ({ intervals: page }) => page,
        )
        if (flags.csv) return console.log(intervalsCsv(intervals))
        print(flags.json, intervals, () => intervalsTable(intervals))
      },
    }),
  },
})

interface Target {
  orgId: string
  limitId: string
}

/** Polls a limit until it is as wanted, or controllers have had their time. */
async function waitFor(
  client: Client,
  target: Target,
  isDone: (found: FleetLimit) => boolean,
  clock: Clock,
): Promise<FleetLimit> {
  const giveUpAt = clock.monotonic() + WAIT_MS
  for (;;) {
    const found = await client.getLimit({ ...target, query: { limit: 1 } })
    if (isDone(found) || clock.monotonic() >= giveUpAt) return found
    await sleep(clock, LOOK_MS)
  }
}

/** Prints a limit with its outcomes. Fails unless all controllers have accepted it. */
async function show(client: Client, target: Target, json: boolean | undefined): Promise<void> {
  const { outcomes, ...found } = await load(client, target)
  print(json, { ...found, outcomes }, () => describeLimit(found, outcomes))
  if (outcomes.some(({ outcome, isReplaced }) => outcome !== 'accepted' && !isReplaced)) throw new ReportedFailure()
}

async function load(client: Client, target: Target): Promise<FleetLimit & { outcomes: LimitOutcome[] }> {
  const { outcomes: _first, nextCursor: _next, ...found } = await client.getLimit({ ...target, query: { limit: 1 } })
  const outcomes = await collectItems(
    (cursor) => client.getLimit({ ...target, query: { limit: PAGE, cursor } }),
    ({ outcomes: page }) => page,
  )
  return { ...found, outcomes }
}

const countsOf = ({ counts }: Pick<FleetLimit, 'counts'>) =>
  OUTCOMES.filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${outcome}`)
    .join(', ')

/** The counts of a limit, and the share of each controller. */
export function describeLimit(found: FleetLimit, outcomes: readonly LimitOutcome[]): string {
  const rows = outcomes
    .filter(({ isReplaced }) => !isReplaced)
    .map(({ deviceId, kw, outcome, isLost, reason }) => [deviceId, String(kw), isLost ? 'lost' : outcome, reason ?? ''])
  const pending = found.state === 'running' ? '; the service tries on until the deadline' : ''
  const line = `limit ${found.id} of ${found.kw} kW until ${found.to}: ${countsOf(found)}${pending}`
  return [line, table(['DEVICE', 'KW', 'OUTCOME', 'REASON'], rows, '')].join('\n')
}

export function describeReleased({ id, state, releasing }: FleetLimit): string {
  if (state !== 'cancelled') return `limit ${id} is over`
  if (releasing === 0) return `limit ${id} is released`
  return `limit ${id} is released; ${releasing} controllers that do not answer release it when they are back`
}

function limitsTable(limits: readonly FleetLimit[]): string {
  const rows = limits.map((one) => [
    one.id,
    one.direction,
    String(one.kw),
    one.from,
    one.to,
    countsOf(one),
    one.placedBy.name,
  ])
  return table(['ID', 'DIRECTION', 'KW', 'FROM', 'TO', 'CONTROLLERS', 'BY'], rows, 'no limits')
}
