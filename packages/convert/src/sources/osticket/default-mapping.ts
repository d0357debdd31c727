import { personColumns, reporterColumns } from '../../parts/people.ts'
import type { SourceKind } from '../../source.ts'

/** What columns of an osTicket ticket become. Answers to questions of its forms become part of the description. */
export const defaultMapping: NonNullable<SourceKind['defaultMapping']> = {
  columns: {
    'External id': 'externalId',
    Number: 'number',
    Subject: 'title',
    Description: 'description',
    Status: 'state',
    'Status name': 'notes+',
    Priority: 'priority',
    ...reporterColumns('User'),
    ...personColumns('Agent', 'assignee'),
    ...personColumns('Collaborators', 'ccEmails'),
    'Help topic': 'tags',
    Department: 'notes+',
    Team: 'notes+',
    'Parent ticket': 'notes+',
    Due: 'notes+',
    Reopened: 'notes+',
    'Internal comments': 'notes+',
    'Description by': 'notes+',
    Created: 'createdAt',
    Updated: 'updatedAt',
    Closed: 'resolvedAt',
    Source: 'omit',
    ip_address: 'omit',
    isoverdue: 'omit',
    isanswered: 'omit',
    'Replaced entries': 'omit',
    'Empty comments': 'omit',
  },
  states: { Open: 'open', Resolved: 'resolved', Closed: 'closed', Archived: 'closed', Deleted: 'canceled' },
  priorities: { Low: 0, Normal: 1, High: 2, Emergency: 3 },
}
