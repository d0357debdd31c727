import type { ColumnFieldName, ColumnFieldValues, ListedColumnField } from './request-fields.ts'

export { TICKET_STATES, type TicketState } from './request-fields.ts'

/** Who reported a request or wrote a comment: someone of the site, or only what a package said of them. */
export interface Person {
  email: string | null
  name: string | null
  phone: string | null
}

/** A file of a request or of a comment. Its bytes have an address of their own, given out on request. */
export interface Attachment {
  id: string
  name: string
  contentType: string | null
  size: number
}

export interface TicketComment {
  content: string
  author: Person | null
  createdAt: string | null
  attachments: Attachment[]
}

/** A request as lists show it. */
export interface TicketSummary extends Pick<ColumnFieldValues, ListedColumnField> {
  reporter: Person | null
  assignee: Person | null
  unit: string | null
  tags: string[]
  commentCount: number
}

/** A request with its conversation. */
export interface Ticket
  extends Omit<TicketSummary, 'commentCount'>,
    Pick<ColumnFieldValues, Exclude<ColumnFieldName, ListedColumnField>> {
  supervisor: Person | null
  watchers: Person[]
  attachments: Attachment[]
  comments: TicketComment[]
}
