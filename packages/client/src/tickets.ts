import type { Person, Ticket, TicketComment, TicketState, TicketSummary } from '@plantroom/contract/tickets'
import { queryOf, type Send } from './http.ts'

/** Which requests; the newest first. */
export interface TicketFilters {
  /** Several: those in one of them. */
  state?: TicketState | readonly TicketState[] | undefined
  priority?: number | undefined
  tag?: string | undefined
  unit?: string | undefined
  /** The address of the person. */
  assignee?: string | undefined
  /** Text in the title, the externalId, the reporter or the beginning of the description. */
  q?: string | undefined
  createdSince?: string | undefined
  updatedSince?: string | undefined
  limit?: number | undefined
  /** The `nextCursor` of the page before, of the same filters. */
  cursor?: string | undefined
}

/** `nextCursor` is `null` on the last page. */
export interface TicketPage {
  tickets: TicketSummary[]
  nextCursor: string | null
}

export interface CommentPage {
  comments: TicketComment[]
  nextCursor: string | null
}

/** Someone of a site: whom requests can be assigned to. */
export interface SitePerson extends Person {
  id: string
  email: string
}

/** A unit or a tag of a site. */
export interface Labelled {
  id: string
  name: string
}

/** With the beginning of its conversation: `commentsCursor` leads to the rest, `null` when there is none. */
export interface ShownTicket extends Ticket {
  commentsCursor: string | null
}

/** What can be changed of a request; people are named by their addresses on the site. */
export interface TicketChanges {
  title?: string
  description?: string | null
  notes?: string | null
  resolutionSummary?: string | null
  state?: TicketState
  priority?: number | null
  assignee?: string | null
  supervisor?: string | null
  watchers?: readonly string[]
  unit?: string | null
  tags?: readonly string[]
}

export type TicketClient = ReturnType<typeof createTicketClient>

/** The maintenance requests of one site, with the units and people that they name. For a key, and for an operator's token. */
export function createTicketClient(send: Send, site: { orgId: string; propertyId: string }) {
  const base = `/api/orgs/${encodeURIComponent(site.orgId)}/properties/${encodeURIComponent(site.propertyId)}`
  const ticket = (number: number) => `${base}/tickets/${number}`
  return {
    list: (filters: TicketFilters = {}) => send<TicketPage>('GET', `${base}/tickets${queryOf({ ...filters })}`),
    /** How many there are of such. */
    count: async (filters: Omit<TicketFilters, 'limit' | 'cursor'> = {}) =>
      (await send<{ total: number }>('GET', `${base}/tickets${queryOf({ ...filters, limit: 1, total: 'true' })}`))
        .total,
    find: (number: number) => send<ShownTicket>('GET', ticket(number)),
    add: (added: TicketChanges & { title: string; reporter?: Partial<Person> | null }) =>
      send<ShownTicket>('POST', `${base}/tickets`, added),
    change: (number: number, changes: TicketChanges) => send<ShownTicket>('PATCH', ticket(number), changes),
    comments: (number: number, cursor?: string) =>
      send<CommentPage>('GET', `${ticket(number)}/comments${queryOf({ cursor })}`),
    /** As the staff. It is mailed to the reporter; `mailedTo` says to which address, if to any. */
    addComment: (number: number, comment: { content: string; author?: Partial<Person> | null }) =>
      send<TicketComment & { mailedTo: string | null }>('POST', `${ticket(number)}/comments`, comment),
    /** Where the bytes are, for a quarter of an hour. */
    attachmentUrl: async (number: number, attachmentId: string) =>
      (await send<{ url: string }>('GET', `${ticket(number)}/attachments/${encodeURIComponent(attachmentId)}`)).url,

    /** By name. */
    units: (cursor?: string) =>
      send<{ units: Labelled[]; nextCursor: string | null }>('GET', `${base}/units${queryOf({ cursor })}`),
    /** By name. */
    tags: (cursor?: string) =>
      send<{ tags: Labelled[]; nextCursor: string | null }>('GET', `${base}/tags${queryOf({ cursor })}`),
    /** By address. */
    people: (cursor?: string) =>
      send<{ people: SitePerson[]; nextCursor: string | null }>('GET', `${base}/people${queryOf({ cursor })}`),
    addUnit: (name: string) => send<Labelled>('POST', `${base}/units`, { name }),
    addPerson: (person: { email: string; name?: string | null; phone?: string | null }) =>
      send<SitePerson>('POST', `${base}/people`, person),
  }
}
