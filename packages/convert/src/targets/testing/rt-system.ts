import type { Reply, Sent } from './sending.ts'

interface Message {
  readonly Content?: string
  readonly Attachments?: readonly { FileName: string; FileType: string; FileContent: string }[]
}

interface Ticket {
  readonly id: string
  fields: Record<string, unknown>
  history: { readonly id: string; readonly Type: string }[]
  parts: Record<string, unknown>[]
}

type Page = (items: readonly object[]) => Reply

const ROLES = ['Requestor', 'Cc', 'AdminCc']
const FIELDS = ['Status', 'Resolved', 'Owner', 'RefersTo', ...ROLES]
const AT = '2026-01-01T00:00:00Z'

/** The part of RT's REST 2 interface that the script and the documented export use, with RT's checks and peculiarities. */
export function rtSystem({ queueWatchers = [] as string[], mails = false, largestPage = 100 } = {}) {
  const tickets: Ticket[] = []
  let lastId = 100
  const nextId = () => {
    lastId += 1
    return String(lastId)
  }

  const record = (ticket: Ticket, type: string, { Content = '', Attachments = [] }: Message) => {
    const transaction = nextId()
    ticket.history.push({ id: transaction, Type: type })
    const container = nextId()
    const part = (id: string, parent: string, ContentType: string, rest: object) =>
      ticket.parts.push({
        ...{ id: Number(id), ContentType, ...rest, Parent: parent === '0' ? '0' : { id: parent, type: 'attachment' } },
        ...{ TransactionId: { id: transaction, type: 'transaction' }, Creator: { id: 'root', type: 'user' } },
        _hyperlinks: [{ ref: 'self', type: 'attachment' }],
      })
    part(container, '0', 'multipart/mixed', { Content: null })
    part(nextId(), container, 'text/plain', { Content: Buffer.from(Content).toString('base64') })
    for (const { FileName, FileType, FileContent } of Attachments) {
      // Each letter of the name is a byte.
      const Filename = Buffer.from(FileName, 'latin1').toString().split('/').at(-1)
      part(nextId(), container, FileType, { Filename, Content: FileContent.trim() })
    }
    if (mails) ticket.history.push({ id: nextId(), Type: 'EmailRecord' })
  }

  const create = (data: Message & Record<string, unknown>): Reply => {
    const problem = problemOf(data)
    if (problem) return problem
    if (data.Queue !== '3') return refused(403, 'No permission to create tickets in the queue')
    const { Content: _content, Attachments: _attachments, ContentType: _type, ...fields } = data
    const ticket: Ticket = {
      id: String(tickets.length + 1),
      fields: { Status: 'new', ...fields },
      history: [],
      parts: [],
    }
    tickets.push(ticket)
    record(ticket, 'Create', data)
    return { status: 201, body: { id: ticket.id, type: 'ticket' } }
  }
  const update = (ticket: Ticket, data: Record<string, unknown>): Reply => {
    const unknown = Object.keys(data).find((name) => !FIELDS.includes(name))
    if (unknown) throw new Error(`RT ignores ${unknown}`)
    const addresses = ROLES.flatMap((role) => (data[role] as string[] | undefined) ?? [])
    if (addresses.some((address) => address.includes('rt@example.com'))) return { status: 500, body: '' }
    ticket.fields = { ...ticket.fields, ...data }
    return { status: 200, body: ['changed'] }
  }
  const say = (ticket: Ticket, type: 'comment' | 'correspond', data: Message): Reply => {
    const problem = problemOf(data)
    if (problem) return problem
    record(ticket, type === 'comment' ? 'Comment' : 'Correspond', data)
    return { status: 201, body: ['added'] }
  }

  const ofTicket = (ticket: Ticket, rest: string, { method, body }: Sent, page: Page): Reply => {
    if (method === 'POST' && (rest === 'comment' || rest === 'correspond')) return say(ticket, rest, body)
    if (method === 'PUT') return update(ticket, body)
    const about = { ObjectId: ticket.id, Created: AT, Creator: { id: 'root', type: 'user' } }
    if (rest === 'history') return page(ticket.history.map((each) => ({ ...each, ...about, type: 'transaction' })))
    if (rest === 'attachments') return page(ticket.parts.map(({ id }) => ({ id: String(id), type: 'attachment' })))
    const people = ROLES.map((role) => [role, ((ticket.fields[role] as string[]) ?? []).map(personOf)])
    const { RefersTo: _link, ...fields } = ticket.fields
    const self = { id: Number(ticket.id), Type: 'ticket', _hyperlinks: [{ ref: 'self', type: 'ticket' }] }
    const times = { Created: AT, LastUpdated: AT, Queue: { id: '3', type: 'queue' } }
    return { status: 200, body: { ...fields, ...times, ...Object.fromEntries(people), ...self } }
  }
  const replyTo = (sent: Sent): Reply => {
    const { method, headers } = sent
    const { pathname, searchParams } = new URL(sent.path, 'http://rt')
    if (headers.authorization !== 'token secret') return refused(401, 'Unauthorized')
    const path = pathname.replace('/REST/2.0/', '')
    const [, id = '', rest = ''] = /^ticket\/(\d+)\/?(\w*)$/.exec(path) ?? []
    const ticket = tickets[Number(id) - 1]
    const page: Page = (items) => pageOf(items, searchParams, largestPage)
    if (ticket) return ofTicket(ticket, rest, sent, page)
    if (method === 'POST' && path === 'ticket') return create(sent.body)
    if (path === 'queues')
      return page([{ id: '3', type: 'queue' }].filter(() => JSON.stringify(sent.body).includes('"Maja/A"')))
    if (path === 'queues/all') return page([{ id: '3', type: 'queue', Name: 'Maja/A' }])
    if (path === 'queue/3') return { status: 200, body: { id: 3, Cc: [], AdminCc: queueWatchers } }
    if (path === 'users') return page([])
    if (path === 'tickets') return page(found(searchParams.get('query') ?? ''))
    const part = tickets.flatMap(({ parts }) => parts).find((each) => path === `attachment/${each.id}`)
    return part ? { status: 200, body: part } : refused(404, 'Not Found')
  }
  const found = (query: string) => {
    const link = /^Queue=3 AND RefersTo='([\w:/]+)'$/.exec(query)?.[1]
    if (link === undefined && query !== 'id>0') throw new Error(`RT does not understand ${query}`)
    return tickets
      .filter(({ fields }) => link === undefined || [fields.RefersTo].flat().includes(link))
      .map((ticket) => ({ id: ticket.id, type: 'ticket' }))
  }
  return { tickets, replyTo }
}

/** RT takes an empty text for a missing one, and 0 as well. */
function problemOf({ Content, Attachments = [] }: Message): Reply | undefined {
  if (!Content || Content === '0') return refused(400, 'the message is lost')
  const isLost = Attachments.some((each) =>
    [each.FileName, each.FileType, each.FileContent].some((x) => !x || x === '0'),
  )
  return isLost ? refused(400, 'Field FileContent is required for each attachment in Attachments') : undefined
}

const personOf = (text: string) => ({ id: /<(.*)>$/.exec(text)?.[1] ?? text, type: 'user' })

function pageOf(all: readonly object[], search: URLSearchParams, largestPage: number): Reply {
  const size = Math.min(Number(search.get('per_page') ?? 20), largestPage)
  const number = Number(search.get('page') ?? 1)
  const items = all.slice((number - 1) * size, number * size)
  const pages = Math.ceil(all.length / size)
  return { status: 200, body: { items, count: items.length, total: all.length, page: number, pages, per_page: size } }
}
const refused = (status: number, message: string): Reply => ({ status, body: { message } })
