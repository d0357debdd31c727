import type { GivenPerson, RequestDetails, ShownTicket, SitePerson } from '@plantroom/contract/api'
import type { TicketComment, TicketState, TicketSummary } from '@plantroom/contract/tickets'
import { queryOf, type Send } from './http.ts'

export type { RequestDetails as TicketChanges, ShownTicket, SitePerson } from '@plantroom/contract/api'

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

/** A unit or a tag of a site. */
export interface Labelled {
  id: string
  name: string
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
    add: (added: RequestDetails & { title: string; reporter?: GivenPerson }) =>
      send<ShownTicket>('POST', `${base}/tickets`, added),
    change: (number: number, changes: RequestDetails) => send<ShownTicket>('PATCH', ticket(number), changes),
    comments: (number: number, cursor?: string) =>
      send<CommentPage>('GET', `${ticket(number)}/comments${queryOf({ cursor })}`),
    /** As the staff. It is mailed to the reporter; `mailedTo` says to which address, if to any. */
    addComment: (number: number, comment: { content: string; author?: GivenPerson }) =>
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
