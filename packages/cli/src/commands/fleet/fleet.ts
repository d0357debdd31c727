import { type Clock, sleep, systemClock } from '@plantroom/base/clock'
import type { Client } from '@plantroom/client/client'
import { ApiError } from '@plantroom/client/http'
import { pages } from '@plantroom/client/pages'
import { type DispatchOutcome, type FleetDispatch, OUTCOMES } from '@plantroom/contract/fleet'
import { fleetClient } from '../../clients.ts'
import { COMMON_FLAGS, flag, ReportedFailure } from '../../command.ts'
import type { Flags } from '../../config.ts'
import { command, verb } from '../../declare.ts'
import { print, table } from '../../output.ts'
import { createProgressBar } from '../../progress-bar.ts'
import { DISPATCH_FLAGS, dispatchRequest } from './dispatch-request.ts'

const LOOK_MS = 500
/** How long `cancel` waits for controllers that are online. */
const CANCEL_MS = 15_000
const PAGE = 1000
/** Outcomes that are listed for people; `--json` has all. */
const MOST_LISTED = 50

const ID = { name: 'ID', about: 'the id of the dispatch' } as const

export const fleet = command('fleet', {
  group: 'control',
  about: 'send one setpoint to many controllers, and follow or cancel it',
  notes: `TIME is a time with a zone (2026-03-01T12:00:00Z) or the next time of day of this machine (18:00).
DURATION is a number with a unit: 90s, 15m or 2h. N may be negative. dispatch needs an API key; names of devices and sites also need the admin token.`,
  verbs: {
    dispatch: verb({
      about: 'hold datapoints of many controllers at a value, then release them',
      synopsis: '--tag TAG --value N --to TIME',
      options: {
        ...COMMON_FLAGS,
        ...DISPATCH_FLAGS,
        'no-wait': flag('print the id and do not wait for the outcomes'),
      },
      json: 'the dispatch with counts and outcomes; with --no-wait {id}',
      examples: ['plantroom fleet dispatch --tag battery.charge-power --total-kw -500 --to 18:00'],
      async run(flags) {
        const body = dispatchRequest(flags, systemClock.now())
        const { client, orgId, deviceIds, siteIds } = await fleetClient(serviceOf(flags), 'key')
        const [devices, sites] = [await deviceIds(body.select.deviceIds), await siteIds(body.select.siteIds)]
        const select = { ...body.select, ...(devices && { deviceIds: devices }), ...(sites && { siteIds: sites }) }
        const { id } = await client.startDispatch({ orgId, body: { ...body, select } }).catch((error: Error) => {
          // Without an answer, the dispatch may have been stored. A refusal says that it was not.
          const isRefused = error instanceof ApiError && error.status < 500
          if (!isRefused) error.message += `; to repeat it safely, add --idempotency-key ${body.idempotencyKey}`
          throw error
        })
        if (flags['no-wait'])
          return print(flags.json, { id }, () => `dispatch ${id} is running; see plantroom fleet status ${id}`)
        await waitFor(client, { orgId, id }, ({ state }) => state !== 'running', systemClock)
        await show(client, { orgId, id }, flags.json)
      },
    }),
    status: verb({
      about: 'show the progress of a dispatch; exits with 1 unless all are accepted',
      arguments: [ID],
      options: COMMON_FLAGS,
      json: 'the dispatch with counts and outcomes',
      async run(flags, { ID: id }) {
        const { client, orgId } = await fleetClient(flags)
        await show(client, { orgId, id }, flags.json)
      },
    }),
    cancel: verb({
      about: 'release everything that a dispatch placed; safe to repeat',
      arguments: [ID],
      options: COMMON_FLAGS,
      json: '{id, state, counts, releasing}',
      async run(flags, { ID: id }) {
        const { client, orgId } = await fleetClient(flags)
        await client.cancelDispatch({ orgId, dispatchId: id })
        const giveUpAt = systemClock.monotonic() + CANCEL_MS
        const isDone = ({ releasing }: FleetDispatch) => releasing === 0 || systemClock.monotonic() >= giveUpAt
        const { state, counts, releasing } = await waitFor(client, { orgId, id }, isDone, systemClock)
        print(flags.json, { id, state, counts, releasing }, () => describeCancelled(id, { state, releasing }))
        if (releasing > 0) throw new ReportedFailure()
      },
    }),
  },
})

/** Without --device, which selects several here. */
const serviceOf = ({ json, profile, url, org }: Omit<Flags, 'device'>): Flags => ({ json, profile, url, org })

export function describeCancelled(
  id: string,
  { state, releasing }: Pick<FleetDispatch, 'state' | 'releasing'>,
): string {
  if (state !== 'cancelled') return `dispatch ${id} is over: its window has ended`
  if (releasing === 0) return `dispatch ${id} is cancelled, and every controller has released it`
  return `dispatch ${id} is cancelled; controllers that do not answer must still release ${releasing}: they do so when they are back`
}

interface Target {
  orgId: string
  id: string
}

/** Polls a dispatch until it is as wanted. */
async function waitFor(
  client: Client,
  { orgId, id }: Target,
  isDone: (dispatch: FleetDispatch) => boolean,
  clock: Clock,
): Promise<FleetDispatch> {
  const bar = createProgressBar({ stream: process.stderr, clock })
  for (;;) {
    const found = await client.getDispatch({ orgId, dispatchId: id, query: { limit: 1 } }).catch((error: Error) => {
      error.message += `; the service continues it: see plantroom fleet status ${id}`
      throw error
    })
    if (isDone(found)) {
      bar.clear()
      return found
    }
    const total = OUTCOMES.reduce((sum, outcome) => sum + found.counts[outcome], 0)
    bar.show(`dispatch ${id}`, total - found.counts.pending, total)
    await sleep(clock, LOOK_MS)
  }
}

/** Prints a dispatch with its outcomes. Fails unless all are accepted. */
async function show(client: Client, { orgId, id }: Target, json: boolean | undefined): Promise<void> {
  const outcomes: DispatchOutcome[] = []
  let found: FleetDispatch | undefined
  const pageOf = (cursor: string | undefined) =>
    client.getDispatch({ orgId, dispatchId: id, query: { limit: PAGE, cursor } })
  for await (const { outcomes: page, nextCursor: _next, ...dispatch } of pages(pageOf)) {
    found = dispatch
    outcomes.push(...page)
  }
  if (!found) return
  const shown = found
  print(json, { ...shown, outcomes }, () => describeDispatch(shown, outcomes))
  if (outcomes.some(({ outcome }) => outcome !== 'accepted')) throw new ReportedFailure()
}

/** The counts of a dispatch, and what was not accepted. */
export function describeDispatch(
  { id, state, counts, releasing }: Pick<FleetDispatch, 'id' | 'state' | 'counts' | 'releasing'>,
  outcomes: readonly DispatchOutcome[],
): string {
  const numbers = OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => `${counts[outcome]} ${outcome}`)
  const lines = [`dispatch ${id} is ${state}: ${numbers.join(', ')}`]
  if (releasing > 0) lines.push(`${releasing} may still be held: controllers release them when they are back`)
  const others = outcomes.filter(({ outcome }) => outcome !== 'accepted')
  if (others.length === 0) return lines.join('\n')
  const rows = others
    .slice(0, MOST_LISTED)
    .map(({ deviceId, datapointId, outcome, reason }) => [deviceId, datapointId, outcome, reason ?? ''])
  lines.push(table(['DEVICE', 'DATAPOINT', 'OUTCOME', 'REASON'], rows, ''))
  if (others.length > MOST_LISTED) lines.push(`… and ${others.length - MOST_LISTED} more; use --json`)
  return lines.join('\n')
}
