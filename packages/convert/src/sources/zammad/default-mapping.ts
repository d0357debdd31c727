import type { Target } from '@plantroom/contract/conversion'
import { personColumns, reporterColumns } from '../../parts/people.ts'
import type { SourceKind } from '../../source.ts'

const omitted = [
  ...['group_id', 'priority_id', 'state_id', 'organization_id', 'create_article_type_id', 'create_article_sender_id'],
  ...['updated_by_id', 'created_by_id', 'updated_by', 'created_by', 'create_article_type', 'create_article_sender'],
  ...['article_ids', 'article_count', 'preferences', 'last_owner_update_at', 'checklist_id', 'ticket_time_accounting'],
  ...['ticket_time_accounting_ids', 'referencing_checklist_ids', 'Escalation', 'First response', 'Last contact'],
  ...['first_response_escalation_at', 'first_response_in_min', 'first_response_diff_in_min', 'close_escalation_at'],
  ...['close_in_min', 'close_diff_in_min', 'update_escalation_at', 'update_in_min', 'update_diff_in_min'],
  ...['Last contact by an agent', 'Last contact by the customer', 'Comments (more)', 'Empty comments'],
]

/** What fields of a Zammad ticket become. */
export const defaultMapping: NonNullable<SourceKind['defaultMapping']> = {
  timeZone: 'UTC',
  columns: {
    'External id': 'externalId',
    Number: 'number',
    Title: 'title',
    Description: 'description',
    State: 'state',
    Priority: 'priority',
    ...reporterColumns('Customer'),
    ...personColumns('Owner', 'assignee'),
    Tags: 'tags',
    Note: 'notes',
    Group: 'notes+',
    Created: 'createdAt',
    Updated: 'updatedAt',
    Closed: 'resolvedAt',
    'First closed': 'notes+',
    'Closed before': 'notes+',
    'Pending until': 'notes+',
    'Time accounted': 'notes+',
    'Internal comments': 'notes+',
    'Description by': 'notes+',
    ...Object.fromEntries(omitted.map((column): [string, Target] => [column, 'omit'])),
  },
  states: {
    new: 'new',
    open: 'open',
    'pending reminder': 'on_hold',
    'pending close': 'resolved',
    closed: 'closed',
    merged: 'canceled',
    removed: 'canceled',
  },
  priorities: { '1 low': 0, '2 normal': 1, '3 high': 2 },
}
