import type { OperationInput } from '@plantroom/client/client'
import { collectItems } from '@plantroom/client/pages'
import type { RequestDetails } from '@plantroom/contract/api'
import { SITE_FLAGS, siteClient } from '../../clients.ts'
import { flag, UsageError, valued } from '../../command.ts'
import type { Flags } from '../../config.ts'
import { command, verb } from '../../declare.ts'
import { print, printable } from '../../output.ts'
import { ATTACH, attachFiles, requireFiles } from './attach.ts'
import { DETAIL_FLAGS, detailsOf } from './details.ts'
import { numberOf } from './find-request.ts'
import { list } from './list.ts'
import { describeRequest } from './request-table.ts'

const REQUEST = { name: 'REQUEST', about: 'by number (12 or #12) or external id' } as const
const SHAPE = 'the request, as the API returns it'

export const request = command('request', {
  group: 'requests',
  about: 'list, show, add and change maintenance requests',
  notes: `Uses the API key (ticket:read_write; ticket:read is enough for list and show), or the admin token without a key. With the admin token you can omit the site if only one has Maintenance Requests.
TIME is a time with a zone: 2026-03-01T12:00:00Z. An empty text removes a value: --assignee ''.`,
  verbs: {
    list,
    show: verb({
      about: 'show a request with its conversation',
      arguments: [REQUEST],
      options: SITE_FLAGS,
      json: `${SHAPE}, with all comments`,
      async run(flags, { REQUEST }) {
        const { client, site } = await siteClient(flags)
        const at = { ...site, number: await numberOf(client, site, REQUEST) }
        const { commentsCursor, ...ticket } = await client.getRequest(at)
        const later =
          commentsCursor === null
            ? []
            : await collectItems(
                (cursor) => client.listComments({ ...at, query: { cursor: cursor ?? commentsCursor } }),
                ({ comments }) => comments,
              )
        const comments = [...ticket.comments, ...later]
        print(flags.json, { ...ticket, comments }, () => describeRequest({ ...ticket, commentsCursor }, comments))
      },
    }),
    add: verb({
      about: 'add a request; the site assigns its number',
      arguments: [{ name: 'TITLE' }],
      options: {
        ...SITE_FLAGS,
        ...DETAIL_FLAGS,
        'reporter-name': valued('TEXT', 'the name of the reporter'),
        'reporter-email': valued('EMAIL', 'the email of the reporter'),
        'reporter-phone': valued('TEXT', 'the phone number of the reporter'),
        attach: ATTACH,
      },
      json: SHAPE,
      async run(flags, { TITLE }) {
        const reporter = personOf(flags['reporter-name'], flags['reporter-email'], flags['reporter-phone'])
        const details = detailsOf(flags)
        requireFiles(flags.attach)
        const target = await siteClient(flags)
        const attachments = await attachFiles(target, flags.attach)
        const body = { ...details, title: TITLE, ...(reporter && { reporter }), ...(attachments && { attachments }) }
        const added = await target.client.addRequest({ ...target.site, body })
        print(flags.json, added, () => printable(`#${added.number} ${added.title}`))
      },
    }),
    change: verb({
      about: 'change fields of a request; the others stay as they are',
      arguments: [REQUEST],
      options: { ...SITE_FLAGS, ...DETAIL_FLAGS, title: valued('TEXT', 'the title') },
      json: SHAPE,
      async run(flags, { REQUEST }) {
        const changes = { ...detailsOf(flags), ...(flags.title !== undefined && { title: flags.title }) }
        if (Object.keys(changes).length === 0) throw new UsageError('nothing to change: give a field such as --state')
        await change(REQUEST, changes, flags)
      },
    }),
    assign: verb({
      about: 'assign a request to a person of the site',
      arguments: [REQUEST, { name: 'EMAIL', about: "or '' for no one" }],
      options: SITE_FLAGS,
      json: SHAPE,
      run: (flags, { REQUEST, EMAIL }) => change(REQUEST, { assignee: EMAIL === '' ? null : EMAIL }, flags),
    }),
    close: verb({
      about: 'close a request',
      arguments: [REQUEST],
      options: {
        ...SITE_FLAGS,
        resolution: valued('TEXT', 'how it was resolved'),
        resolved: flag('set the state resolved instead of closed'),
        canceled: flag('set the state canceled instead of closed'),
      },
      json: SHAPE,
      async run(flags, { REQUEST }) {
        if (flags.resolved && flags.canceled) throw new UsageError('give only one of --resolved and --canceled')
        const state = flags.resolved ? 'resolved' : flags.canceled ? 'canceled' : 'closed'
        const { resolution } = flags
        await change(REQUEST, { state, ...(resolution !== undefined && { resolutionSummary: resolution }) }, flags)
      },
    }),
    comment: verb({
      about: 'add a staff comment, which is mailed to the reporter',
      arguments: [REQUEST, { name: 'TEXT' }],
      options: {
        ...SITE_FLAGS,
        'author-name': valued('TEXT', 'the name of the author'),
        'author-email': valued('EMAIL', 'the email of the author'),
        attach: ATTACH,
      },
      json: 'the comment, with mailedTo',
      async run(flags, { REQUEST, TEXT }) {
        const author = personOf(flags['author-name'], flags['author-email'], undefined)
        requireFiles(flags.attach)
        const target = await siteClient(flags)
        const { client, site } = target
        const number = await numberOf(client, site, REQUEST)
        const attachments = await attachFiles(target, flags.attach)
        const body = { content: TEXT, ...(author && { author }), ...(attachments && { attachments }) }
        const added = await client.addComment({ ...site, number, body })
        const mailed = added.mailedTo === null ? 'not mailed' : `mailed to ${added.mailedTo}`
        print(flags.json, added, () => printable(`comment added to #${number}; ${mailed}`))
      },
    }),
  },
})

async function change(given: string, body: RequestDetails, flags: Flags & { site?: string }): Promise<void> {
  const { client, site } = await siteClient(flags)
  const changed = await client.changeRequest({ ...site, number: await numberOf(client, site, given), body })
  print(flags.json, changed, () => {
    const assignee = changed.assignee?.name ?? changed.assignee?.email
    return printable(
      `#${changed.number} ${changed.title}: ${changed.state}${assignee ? `, assigned to ${assignee}` : ''}`,
    )
  })
}

function personOf(name?: string, email?: string, phone?: string): OperationInput<'addComment'>['body']['author'] {
  if (name === undefined && email === undefined && phone === undefined) return undefined
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
  }
}
