import { basename } from 'node:path'
import { startsLikeJson } from '../../json/starts-like-json.ts'
import { personColumns, reporterColumns } from '../../parts/people.ts'
import { type Source, SourceError, type SourceKind } from '../../source.ts'
import { readTable } from '../csv/read-table.ts'
import { openDump, readUsers } from './dump.ts'
import { languages } from './languages.ts'
import { openList } from './list-csv.ts'
import { createLookups, type Lookups } from './lookups.ts'

/**
 * Issues of Redmine: replies of its REST interface, or the list as CSV. Beside either, replies with users; beside replies, a
 * CSV of the table `attachments` that says under which names the server stores files.
 */
export const redmine: SourceKind = {
  name: 'redmine',
  label: 'Redmine',
  columnOf: languages.columnOf,
  open: openRedmine,
  defaultMapping: {
    columns: {
      'External id': 'externalId',
      '#': 'number',
      Subject: 'title',
      Description: 'description',
      Status: 'state',
      Priority: 'priority',
      ...reporterColumns('Author'),
      ...personColumns('Assignee', 'assignee'),
      ...personColumns('Watcher', 'watchers'),
      Watchers: 'notes+',
      Tracker: 'tags',
      Category: 'tags',
      Created: 'createdAt',
      Updated: 'updatedAt',
      Closed: 'resolvedAt',
      'Status changed': 'stateChangedAt',
      ...{
        Project: 'notes+',
        'Target version': 'notes+',
        'Start date': 'notes+',
        'Due date': 'notes+',
        Private: 'notes+',
      },
      'Estimated time': 'notes+',
      'Total estimated time': 'notes+',
      '% Done': 'notes+',
      'Spent time': 'notes+',
      'Total spent time': 'notes+',
      'Time entries': 'notes+',
      'Parent task': 'notes+',
      'Parent task subject': 'notes+',
      Subtasks: 'notes+',
      'Related issues': 'notes+',
      Changes: 'notes+',
      'File descriptions': 'notes+',
      'Last notes': 'comment',
      'Last updated by': 'omit',
    },
    states: languages.states,
    priorities: languages.priorities,
  },
}

async function openRedmine(inputs: readonly string[]): Promise<Source> {
  const replies: string[] = []
  const lists: string[] = []
  const stored: string[] = []
  for (const path of inputs) {
    if (await startsLikeJson(path)) replies.push(path)
    else if (await hasColumn(path, 'disk_filename')) stored.push(path)
    else lists.push(path)
  }
  if (lists.length === 0) return openDump(replies, await readStored(stored))
  const [list = ''] = lists
  if (!(await hasColumn(list, '#'))) {
    const message = 'is neither JSON nor a list of issues with the column #; export it again'
    throw new SourceError([{ place: basename(list), message }])
  }
  return openList(lists, await readUsers(replies))
}

async function hasColumn(path: string, column: string): Promise<boolean> {
  for await (const { cells } of readTable(path)) return cells.has(column)
  return false
}

/** Reads where the server stores attachments: columns id, disk_directory and disk_filename of its table. */
async function readStored(paths: readonly string[]): Promise<Lookups> {
  const lookups = createLookups()
  for (const path of paths) {
    for await (const { cells } of readTable(path)) {
      const folder = cells.get('disk_directory')
      lookups.addStored(cells.get('id') ?? '', [folder, cells.get('disk_filename')].filter(Boolean).join('/'))
    }
  }
  return lookups
}
