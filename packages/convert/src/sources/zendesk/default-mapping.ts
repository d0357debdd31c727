import type { Target } from '@plantroom/contract/conversion'
import { personColumns, reporterColumns } from '../../parts/people.ts'
import type { SourceKind } from '../../source.ts'
import { languages } from './languages.ts'

const omitted = [
  ...[
    'url',
    'raw_subject',
    'via',
    'recipient',
    'metric_set',
    'satisfaction offer',
    'satisfaction (more)',
    'Comments (more)',
    'Empty comments',
  ],
  ...['requester_id', 'submitter_id', 'assignee_id', 'organization_id', 'group_id', 'brand_id', 'ticket_form_id'],
  ...[
    'collaborator',
    'collaborator_ids',
    'follower_ids',
    'email_cc_ids',
    'sharing_agreement_ids',
    'custom_status_id',
    'generated_timestamp',
  ],
  ...['followup_ids', 'forum_topic_id', 'has_incidents', 'is_public', 'allow_channelback', 'allow_attachments'],
  ...['from_messaging_channel', 'encoded_id', 'deleted_ticket_form_id', 'satisfaction_probability', 'slas', 'dates'],
  ...['requester (more)', 'submitter (more)', 'assignee (more)', 'organization (more)', 'group (more)', 'result_type'],
]

/** What fields of a Zendesk ticket become. */
export const defaultMapping: NonNullable<SourceKind['defaultMapping']> = {
  timeZone: 'UTC',
  columns: {
    id: 'externalId',
    subject: 'title',
    description: 'description',
    status: 'state',
    priority: 'priority',
    tags: 'tags',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
    solved_at: 'resolvedAt',
    status_updated_at: 'stateChangedAt',
    'satisfaction score': 'feedback',
    satisfaction_rating: 'feedbackText',
    'Internal comments': 'notes+',
    ...reporterColumns('Requester'),
    ...personColumns('Assignee', 'assignee'),
    ...personColumns('Followers', 'watchers'),
    ...personColumns('CCs', 'ccEmails'),
    Submitter: 'notes+',
    'Submitter email': 'omit',
    Group: 'notes+',
    ...Object.fromEntries(omitted.map((column): [string, Target] => [column, 'omit'])),
  },
  states: languages.states,
  priorities: languages.priorities,
}
