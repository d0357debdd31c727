import { pages } from '@plantroom/client/pages'
import { ACTIVITY_ACTIONS, type ActivityAction, type ActivityEntry } from '@plantroom/contract/activity'
import { rangeOf, wholeNumber } from '../arguments.ts'
import { operatorClient, organizationOf } from '../clients.ts'
import { COMMON_FLAGS, type Command, parse, positionals, UsageError } from '../command.ts'
import { print } from '../output.ts'
import { activityTable } from '../tables.ts'

const LARGEST_PAGE = 1000

export const activity: Command = {
  usage: `plantroom activity                      list who did what in an organization, newest first
                                        --service         what belongs to no organization, such as refused strangers
                                        --action NAME     for example key-created
                                        --actor ID        only what this person or key did
                                        --subject ID      only what was done to this person, key, job or device
                                        --site ID
                                        --from TIME, --to TIME
                                        --limit N         print at most N (default 50), or --all

TIME is a time with a zone: 2026-03-01T12:00:00Z. Uses the admin token.
plantroom audit export FILE --activity writes the signed log, and plantroom audit verify FILE checks it.`,
  async run(args) {
    const { values: flags, positionals: given } = parse(args, {
      ...COMMON_FLAGS,
      service: { type: 'boolean' },
      action: { type: 'string' },
      actor: { type: 'string' },
      subject: { type: 'string' },
      site: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      limit: { type: 'string' },
      all: { type: 'boolean' },
    })
    positionals(given)
    if (flags.all && flags.limit !== undefined) throw new UsageError('give only one of --limit N and --all')
    const limit = flags.all ? Number.POSITIVE_INFINITY : wholeNumber(flags.limit ?? '50', '--limit')
    const { actor, subject, site: siteId } = flags
    const action = flags.action === undefined ? undefined : actionOf(flags.action)
    const filters = { ...rangeOf(flags), actor, subject, siteId, action }
    const { client, config } = operatorClient(flags)
    const fetchPage = (query: { limit: number; cursor: string | undefined }) => {
      const selected = { ...filters, ...query }
      return flags.service
        ? client.listServiceActivity({ query: selected })
        : client.listActivity({ orgId: organizationOf(config), query: selected })
    }
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
  },
}

function actionOf(text: string): ActivityAction {
  const action = ACTIVITY_ACTIONS.find((one) => one === text)
  if (action) return action
  throw new UsageError(`--action must be one of ${ACTIVITY_ACTIONS.join(', ')}, not ${text}`)
}
