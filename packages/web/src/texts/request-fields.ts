import { catalogue } from './language.ts'

/** The names of the fields of a request, wherever the console shows them. */
export const requestFields = catalogue('requestFields', {
  externalId: 'External ID',
  number: 'Number',
  title: 'Title',
  state: 'State',
  description: 'Description',
  notes: 'Staff notes',
  resolutionSummary: 'Resolution',
  priority: 'Priority',
  language: 'Language',
  tone: 'Tone',
  scope: 'Scope',
  safetyHazard: 'Safety hazard',
  reporter: 'Reporter',
  assignee: 'Assignee',
  supervisor: 'Supervisor',
  watchers: 'Watchers',
  unit: 'Unit',
  tags: 'Tags',
  ccEmails: 'Copies to',
  feedback: 'Feedback',
  feedbackText: 'Feedback comment',
  createdAt: 'Created',
  updatedAt: 'Updated',
  resolvedAt: 'Resolved',
  stateChangedAt: 'State changed',
  attachments: 'Attachments',
})

/** The same inside of a sentence about a change. */
export const changedFields = catalogue('changedFields', {
  title: 'the title',
  state: 'the state',
  description: 'the description',
  notes: 'the staff notes',
  resolutionSummary: 'the resolution',
  priority: 'the priority',
  language: 'the language',
  scope: 'the scope',
  safetyHazard: 'the safety hazard',
  assignee: 'the assignee',
  supervisor: 'the supervisor',
  watchers: 'the watchers',
  unit: 'the unit',
  tags: 'the tags',
  tone: 'the tone',
  reporter: 'the reporter',
  ccEmails: 'the CC addresses',
  feedback: 'the feedback',
  feedbackText: 'the feedback comment',
  comments: 'the authors of comments',
})

/** The names of values, for fields that have only a few. */
export const fieldValues = catalogue('fieldValues', {
  scope: {
    unit: 'One unit',
    common_area: 'Common area',
    building: 'Whole building',
  },
  tone: {
    neutral: 'Neutral',
    polite: 'Polite',
    frustrated: 'Frustrated',
    angry: 'Angry',
  },
  safetyHazard: { true: 'Yes', false: 'No' },
})
