import type { Target } from '@plantroom/contract/conversion'

/** The columns of our own tables, in their order. Other systems may offer them for fields of their own. */
export const OWN_COLUMNS = {
  'External id': 'externalId',
  Number: 'number',
  Title: 'title',
  State: 'state',
  Description: 'description',
  Notes: 'notes',
  'Resolution summary': 'resolutionSummary',
  Priority: 'priority',
  Language: 'language',
  Tone: 'tone',
  Scope: 'scope',
  'Safety hazard': 'safetyHazard',
  'Reporter name': 'reporter.name',
  'Reporter email': 'reporter.email',
  'Reporter phone': 'reporter.phone',
  Assignee: 'assignee',
  Supervisor: 'supervisor',
  Watchers: 'watchers',
  Unit: 'unit',
  Tags: 'tags',
  'CC emails': 'ccEmails',
  Feedback: 'feedback',
  'Feedback text': 'feedbackText',
  'Created at': 'createdAt',
  'Updated at': 'updatedAt',
  'Resolved at': 'resolvedAt',
  'State changed at': 'stateChangedAt',
  Attachments: 'attachments',
} as const satisfies Readonly<Record<string, Target>>

export type OwnColumn = keyof typeof OWN_COLUMNS
export type OwnField = (typeof OWN_COLUMNS)[OwnColumn]

/** The columns of our own table of comments, which stands beside the one of requests. */
export const COMMENT_COLUMNS = [
  'Request',
  'Comment',
  'Author name',
  'Author email',
  'Author phone',
  'Created at',
  'Content',
  'Attachments',
] as const
