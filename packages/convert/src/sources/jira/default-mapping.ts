import type { Target } from '@plantroom/contract/conversion'
import { OWN_COLUMNS } from '../../parts/own-columns.ts'
import { personColumns, reporterColumns } from '../../parts/people.ts'
import type { SourceKind } from '../../source.ts'
import { languages } from './languages.ts'

const omitted = [
  ...['Issue id', 'Project key', 'Project name', 'Project type', 'Project lead', 'Project lead id', 'Project url'],
  ...['Project description', 'Last Viewed', 'Status Category', 'Votes', 'Work Ratio', 'Watcher count', 'title', 'link'],
  ...[
    'Reporter Id',
    'Assignee Id',
    'Creator Id',
    'Watchers Id',
    'Creator email',
    'Attachment details',
    'Empty comments',
  ],
  ...['Custom field (Rank)', 'Custom field (Development)', 'Custom field ([CHART] Date of First Response)'],
  ...['Custom field ([CHART] Time in Status)', 'Comments (more)'],
]

/** Columns of a table that we wrote for the import of Jira, which Jira itself does not have. */
const ofOurTable = Object.fromEntries(
  Object.entries(OWN_COLUMNS).filter(([name]) => !['Assignee', 'Watchers', 'Description', 'Priority'].includes(name)),
)

/** What columns of Jira become. The columns of the XML export are named like those of the CSV export. */
export const defaultMapping: NonNullable<SourceKind['defaultMapping']> = {
  columns: {
    'Issue key': 'externalId',
    Summary: 'title',
    Description: 'description',
    Status: 'state',
    Priority: 'priority',
    Resolution: 'resolutionSummary',
    Labels: 'tags',
    Created: 'createdAt',
    Updated: 'updatedAt',
    Resolved: 'resolvedAt',
    'Status Category Changed': 'stateChangedAt',
    'Custom field (Satisfaction)': 'feedback',
    'Custom field (Satisfaction rating)': 'feedback',
    'Log Work': 'notes+',
    'Internal comments': 'notes+',
    Creator: 'notes+',
    ...reporterColumns('Reporter'),
    ...personColumns('Assignee', 'assignee'),
    ...personColumns('Watchers', 'watchers'),
    ...ofOurTable,
    ...Object.fromEntries(omitted.map((column): [string, Target] => [column, 'omit'])),
  },
  states: languages.states,
  priorities: languages.priorities,
}
