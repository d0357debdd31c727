import { startsLikeJson } from '../../json/starts-like-json.ts'
import { personColumns, reporterColumns } from '../../parts/people.ts'
import { type Source, SourceError, type SourceKind } from '../../source.ts'
import { openDump } from './dump.ts'
import { languages } from './languages.ts'
import { openResults } from './results-tsv.ts'

/** Tickets of Request Tracker: replies of its REST 2 interface, or the results of a search as its spreadsheet. */
export const rt: SourceKind = {
  name: 'rt',
  label: 'Request Tracker',
  columnOf: languages.columnOf,
  open: openRt,
  defaultMapping: {
    columns: {
      'External id': 'externalId',
      id: 'number',
      Subject: 'title',
      Content: 'description',
      Status: 'state',
      Priority: 'priority',
      'Priority number': 'notes+',
      'Initial priority': 'notes+',
      'Final priority': 'notes+',
      ...reporterColumns('Requestor'),
      ...personColumns('Owner', 'assignee'),
      ...personColumns('AdminCc', 'watchers'),
      ...personColumns('Cc', 'ccEmails'),
      Creator: 'notes+',
      'Last updated by': 'omit',
      Queue: 'tags',
      ...{
        Created: 'createdAt',
        'Last updated': 'updatedAt',
        Resolved: 'resolvedAt',
        'Status changed': 'stateChangedAt',
      },
      Started: 'notes+',
      Starts: 'notes+',
      Due: 'notes+',
      'Last contact': 'notes+',
      'Time worked': 'notes+',
      'Time estimated': 'notes+',
      'Time left': 'notes+',
      Links: 'notes+',
      'Merged tickets': 'notes+',
      Changes: 'notes+',
      'Outgoing mail': 'omit',
      // Of the search page: times as they were on the day of the export.
      CreatedRelative: 'omit',
      LastUpdatedRelative: 'omit',
      ToldRelative: 'omit',
    },
    states: languages.states,
    priorities: languages.priorities,
  },
}

async function openRt(inputs: readonly string[]): Promise<Source> {
  const replies: string[] = []
  const tables: string[] = []
  for (const path of inputs) ((await startsLikeJson(path)) ? replies : tables).push(path)
  if (tables.length === 0) return openDump(replies)
  if (replies.length === 0) return openResults(tables)
  const message = 'the results of a search and replies of the REST interface contain the same tickets; give one of them'
  throw new SourceError([{ place: 'the export', message }])
}
