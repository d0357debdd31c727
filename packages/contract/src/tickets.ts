export const TICKET_STATES = ['new', 'open', 'in_progress', 'on_hold', 'resolved', 'closed', 'canceled'] as const
export type TicketState = (typeof TICKET_STATES)[number]

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
export interface TicketSummary {
  number: number
  externalId: string
  title: string
  state: TicketState
  priority: number | null
  safetyHazard: boolean | null
  reporter: Person | null
  assignee: Person | null
  unit: string | null
  tags: string[]
  commentCount: number
  createdAt: string
  updatedAt: string | null
}

/** A request with its conversation. */
export interface Ticket extends Omit<TicketSummary, 'commentCount'> {
  description: string | null
  notes: string | null
  resolutionSummary: string | null
  language: string | null
  tone: string | null
  scope: string | null
  supervisor: Person | null
  watchers: Person[]
  ccEmails: string[]
  feedback: number | null
  feedbackText: string | null
  resolvedAt: string | null
  stateChangedAt: string
  attachments: Attachment[]
  comments: TicketComment[]
}
