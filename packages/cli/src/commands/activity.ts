import type { OperationInput } from '@plantroom/client/client'
import { pages } from '@plantroom/client/pages'
import { ACTIVITY_ACTIONS, type ActivityAction, type ActivityEntry } from '@plantroom/contract/activity'
import { rangeOf, wholeNumber } from '../arguments.ts'
import { administration, operatorClient } from '../clients.ts'
import { COMMON_FLAGS, flag, UsageError, valued } from '../command.ts'
import type { Flags } from '../config.ts'
import { command, verb } from '../declare.ts'
import { print } from '../output.ts'
import { activityTable } from '../tables.ts'

const LARGEST_PAGE = 1000

export const activity = command('activity', {
  group: 'history',
  about: 'list who did what in the cloud',
  notes: `TIME is a time with a zone: 2026-03-01T12:00:00Z. Uses the admin token.
plantroom audit export FILE --activity writes the signed log, and plantroom audit verify FILE checks it.`,
  verbs: {
    '': verb({
      about: 'list who did what in an organization, newest first',
      options: {
        ...COMMON_FLAGS,
        service: flag('what belongs to no organization, such as refused strangers'),
        action: valued('NAME', 'only this action, for example key-created'),
        actor: valued('ID', 'only what this person or key did'),
        subject: valued('ID', 'only what was done to this person, key, job or device'),
        site: valued('SITE', 'only what is about this site, by id or name', { completes: 'site' }),
        from: valued('TIME', 'only at or after'),
        to: valued('TIME', 'only before'),
        limit: valued('N', 'at most N; 50 by default'),
        all: flag('without a limit'),
      },
      json: '[{at, action, outcome, actor, address, subject, details, …}]',
      run: list,
    }),
  },
})

interface ListFlags extends Flags {
  service?: boolean
  action?: string
  actor?: string
  subject?: string
  site?: string
  from?: string
  to?: string
  limit?: string
  all?: boolean
}

async function list(flags: ListFlags): Promise<void> {
  if (flags.all && flags.limit !== undefined) throw new UsageError('give only one of --limit N and --all')
  const limit = flags.all ? Number.POSITIVE_INFINITY : wholeNumber(flags.limit ?? '50', '--limit')
  const { actor, subject } = flags
  const action = flags.action === undefined ? undefined : actionOf(flags.action)
  const range = rangeOf(flags)
  const fetchPage = await pagesOf(flags, { ...range, actor, subject, action })
  const found: ActivityEntry[] = []
  let more = false
  const pageOf = (cursor: string | undefined) =>
    fetchPage({ limit: Math.min(LARGEST_PAGE, limit - found.length), cursor })
  for await (const { entries, nextCursor } of pages(pageOf)) {
    found.push(...entries)
    more = nextCursor !== null
    if (found.length >= limit) break
  }
  const older = more ? '\n… there are older entries; use --limit N or --all' : ''
  print(flags.json, found, () => `${activityTable(found)}${older}`)
}

type Filters = NonNullable<OperationInput<'listActivity'>['query']>

/** Returns a function that fetches a page of the organization's activity, or of the service's. */
async function pagesOf(flags: ListFlags, filters: Filters) {
  if (flags.service) {
    const { client } = operatorClient(flags)
    return (page: Filters) => client.listServiceActivity({ query: { ...filters, siteId: flags.site, ...page } })
  }
  const { client, orgId, siteId } = await administration(flags)
  const site = flags.site === undefined ? undefined : await siteId(flags.site)
  return (page: Filters) => client.listActivity({ orgId, query: { ...filters, siteId: site, ...page } })
}

function actionOf(text: string): ActivityAction {
  const action = ACTIVITY_ACTIONS.find((one) => one === text)
  if (action) return action
  throw new UsageError(`--action must be one of ${ACTIVITY_ACTIONS.join(', ')}, not ${text}`)
}
