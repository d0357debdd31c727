import type { OperationInput } from '@plantroom/client/client'
import { pages } from '@plantroom/client/pages'
import { REQUEST_SORTS, SORT_ORDERS } from '@plantroom/contract/api'
import { OPEN_STATES, TICKET_STATES } from '@plantroom/contract/request-fields'
import type { TicketSummary } from '@plantroom/contract/tickets'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { oneOf, timestamp, wholeNumber } from '../../arguments.ts'
import { SITE_FLAGS, siteClient } from '../../clients.ts'
import { flag, type parse, repeated, UsageError, valued } from '../../command.ts'
import { verb } from '../../declare.ts'
import { print } from '../../output.ts'
import { requestTable } from './request-table.ts'

const LARGEST_PAGE = 1000

const FLAGS = {
  ...SITE_FLAGS,
  state: repeated('STATE', 'only in this state; may be repeated', { choices: TICKET_STATES }),
  open: flag(`only in one of the states ${OPEN_STATES.join(', ')}`),
  priority: valued('N', 'only with this priority, 0 to 3'),
  tag: valued('TAG', 'only with this tag'),
  unit: valued('UNIT', 'only of this unit'),
  assignee: valued('EMAIL', 'only assigned to this person'),
  unassigned: flag('only assigned to no one'),
  reporter: valued('EMAIL', 'only reported by this person'),
  search: valued('TEXT', 'only with this text in the title, external id, reporter, description or a comment'),
  'created-since': valued('TIME', 'only created at or after'),
  'created-until': valued('TIME', 'only created before'),
  'changed-since': valued('TIME', 'only changed at or after'),
  sort: valued('FIELD', 'created by default', { choices: REQUEST_SORTS }),
  order: valued('ORDER', 'desc by default', { choices: SORT_ORDERS }),
  limit: valued('N', 'at most N; 50 by default'),
  all: flag('without a limit'),
} as const
type ListFlags = ReturnType<typeof parse<typeof FLAGS>>['values']
type Query = NonNullable<OperationInput<'listRequests'>['query']>

export const list = verb({
  about: 'list the maintenance requests of a site, newest first',
  options: FLAGS,
  json: '[{number, externalId, title, state, priority, reporter, assignee, unit, tags, createdAt, updatedAt, commentCount, …}]',
  examples: ["plantroom request list --open --tag heating --search 'radiator'"],
  async run(flags) {
    if (flags.all && flags.limit !== undefined) throw new UsageError('give only one of --limit N and --all')
    const limit = flags.all ? Number.POSITIVE_INFINITY : wholeNumber(flags.limit ?? '50', '--limit')
    const query = queryOf(flags)
    const { client, site } = await siteClient(flags)
    const found: TicketSummary[] = []
    let more = false
    const pageOf = (cursor: string | undefined) =>
      client.listRequests({ ...site, query: { ...query, limit: Math.min(LARGEST_PAGE, limit - found.length), cursor } })
    for await (const page of pages(pageOf)) {
      found.push(...page.tickets)
      more = page.nextCursor !== null
      if (found.length >= limit) break
    }
    const rest = more ? '\n… there are more requests; use --limit N or --all' : ''
    print(flags.json, found, () => `${requestTable(found)}${rest}`)
  },
})

function queryOf(flags: ListFlags): Query {
  if (flags.open && flags.state) throw new UsageError('give only one of --open and --state STATE')
  if (flags.unassigned && flags.assignee !== undefined) {
    throw new UsageError('give only one of --unassigned and --assignee EMAIL')
  }
  const { tag, unit, assignee, reporter, search: q } = flags
  const at = (name: 'created-since' | 'created-until' | 'changed-since') => {
    const text = flags[name]
    return text === undefined ? undefined : formatTimestamp(timestamp(text, `--${name}`))
  }
  return {
    tag,
    unit,
    assignee,
    reporter,
    q,
    state: flags.open ? OPEN_STATES : flags.state?.map((text) => oneOf(TICKET_STATES, text, '--state')),
    priority: flags.priority === undefined ? undefined : oneOf([0, 1, 2, 3] as const, flags.priority, '--priority'),
    assigned: flags.unassigned ? 'nobody' : undefined,
    createdSince: at('created-since'),
    createdUntil: at('created-until'),
    updatedSince: at('changed-since'),
    sort: flags.sort === undefined ? undefined : oneOf(REQUEST_SORTS, flags.sort, '--sort'),
    order: flags.order === undefined ? undefined : oneOf(SORT_ORDERS, flags.order, '--order'),
  }
}
