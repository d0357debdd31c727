import type { Reply, Sent } from './sending.ts'

interface Article {
  readonly body?: string
  readonly ticket_id?: number
  readonly attachments?: readonly Readonly<Record<string, string>>[]
}

interface Ticket {
  readonly title?: string
  readonly group?: string
  readonly customer?: { readonly email?: string; readonly login?: string }
  readonly customer_id?: string
  readonly article?: Article
}

/** The endpoints of Zammad's documentation that the script uses, with the checks that Zammad makes. */
export function zammadSystem(_options: object = {}) {
  const tickets: (Ticket & { articles: Article[] })[] = []
  const replyTo = ({ method, path, headers, body }: Sent): Reply => {
    if (headers.authorization !== 'Token token=secret') return refused(401, 'Authentication required')
    if (headers['content-type'] !== 'application/json' && method === 'POST') return refused(415, 'not JSON')
    const listed = /^\/api\/v1\/ticket_articles\/by_ticket\/(\d+)$/.exec(path)
    if (method === 'GET' && listed) return { status: 200, body: tickets[Number(listed[1]) - 1]?.articles ?? [] }
    if (method !== 'POST') return refused(404, `No route matches ${path}`)
    if (path === '/api/v1/tickets') return addTicket(body)
    if (path === '/api/v1/ticket_articles') return addArticle(body)
    return refused(404, `No route matches ${path}`)
  }
  const addTicket = (ticket: Ticket): Reply => {
    const { article = {}, ...fields } = ticket
    if (!ticket.title) return refused(422, 'The required parameter title is missing')
    if (ticket.group !== 'Users') return refused(422, 'No lookup value found for group')
    if (!ticket.customer && !/^guess:.+@/.test(ticket.customer_id ?? '')) return refused(422, 'Invalid customer')
    const problem = problemOf(article)
    if (problem) return problem
    tickets.push({ ...fields, articles: [article] })
    return { status: 201, body: { id: tickets.length } }
  }
  const addArticle = (article: Article): Reply => {
    const ticket = tickets[(article.ticket_id ?? 0) - 1]
    const problem = ticket ? problemOf(article) : refused(404, 'Ticket not found')
    if (problem || !ticket) return problem ?? refused(404, 'Ticket not found')
    return { status: 201, body: { id: ticket.articles.push(article) } }
  }
  return { tickets, replyTo }
}

function problemOf({ body, attachments = [] }: Article): Reply | undefined {
  if (!body) return refused(422, 'Need at least article: { body: "some text" }')
  for (const attachment of attachments) {
    const missing = ['filename', 'data', 'mime-type'].find((key) => attachment[key] === undefined)
    if (missing) return refused(422, `Attachment needs '${missing}' param`)
    const data = attachment.data?.replaceAll(/[\r\n]/g, '') ?? ''
    if (Buffer.from(data, 'base64').toString('base64') !== data) return refused(422, 'Invalid base64 for attachment')
  }
  return undefined
}

const refused = (status: number, error: string): Reply => ({ status, body: { error } })
