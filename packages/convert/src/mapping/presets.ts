import type { Target } from '@plantroom/contract/conversion'
import type { MappingPreset } from '@plantroom/contract/conversion-jobs'
import type { TicketState } from '@plantroom/contract/request-fields'

/** Columns and values of a system that exports work orders as CSV or XLSX. */
export interface Preset {
  /** For people. */
  readonly label: string
  /** By header. A header that a file lacks does not matter. */
  readonly columns: Readonly<Record<string, Target>>
  readonly states: Readonly<Record<string, TicketState>>
  readonly priorities: Readonly<Record<string, 0 | 1 | 2 | 3 | null>>
}

const PRIORITIES = { None: null, Low: 0, Medium: 1, High: 2 } as const

/** No list of the columns of these exports is published: the names are those by which the systems call their fields. */
export const PRESETS: Readonly<Record<MappingPreset, Preset>> = {
  maintainx: {
    label: 'MaintainX',
    columns: {
      ID: 'externalId',
      'Work Order ID': 'externalId',
      '#': 'number',
      Title: 'title',
      Description: 'description',
      Status: 'state',
      Priority: 'priority',
      'Assigned To': 'assignee',
      Assignees: 'assignee',
      'Requested By': 'reporter.name',
      'Requester Email': 'reporter.email',
      Location: 'unit',
      Categories: 'tags',
      'Created On': 'createdAt',
      'Last Updated On': 'updatedAt',
      'Completed On': 'resolvedAt',
      'Completed By': 'notes+',
      'Due Date': 'description+',
      Asset: 'description+',
    },
    states: { Open: 'open', 'On Hold': 'on_hold', 'In Progress': 'in_progress', Done: 'resolved', Skipped: 'canceled' },
    priorities: PRIORITIES,
  },
  upkeep: {
    label: 'UpKeep',
    columns: {
      'Work Order ID': 'externalId',
      ID: 'externalId',
      'Work Order #': 'number',
      'Work Order Number': 'number',
      'Work Order Title': 'title',
      Title: 'title',
      'Work Order Description': 'description',
      Description: 'description',
      Status: 'state',
      Priority: 'priority',
      'Assigned To': 'assignee',
      'Assigned Worker': 'assignee',
      'Additional Workers': 'watchers',
      'Requested By': 'reporter.name',
      'Created By': 'notes+',
      Location: 'unit',
      Category: 'tags',
      'Date Created': 'createdAt',
      'Last Updated': 'updatedAt',
      'Date Completed': 'resolvedAt',
      'Completion Notes': 'resolutionSummary',
      'Due Date': 'description+',
      Asset: 'description+',
    },
    states: { Open: 'open', 'On Hold': 'on_hold', 'In Progress': 'in_progress', Complete: 'resolved' },
    priorities: PRIORITIES,
  },
  fiix: {
    label: 'Fiix',
    columns: {
      Code: 'externalId',
      'Work Order #': 'externalId',
      'Summary of Issue': 'title',
      'Work Instructions': 'description',
      Description: 'description',
      'Completion Notes': 'resolutionSummary',
      'Admin Notes': 'notes',
      Status: 'state',
      'Work Order Status': 'state',
      Priority: 'priority',
      'Assigned Users': 'assignee',
      'Assigned To': 'assignee',
      'Requested By': 'reporter.name',
      'Requestor Email': 'reporter.email',
      'Requestor Phone': 'reporter.phone',
      Site: 'description+',
      Assets: 'description+',
      'Maintenance Type': 'tags',
      'Date Created': 'createdAt',
      'Date Last Modified': 'updatedAt',
      'Date Completed': 'resolvedAt',
      'Suggested Completion Date': 'description+',
    },
    states: {
      Requested: 'new',
      Assigned: 'open',
      Open: 'open',
      'Work In Progress': 'in_progress',
      'On Hold': 'on_hold',
      Draft: 'new',
      'Closed, Completed': 'closed',
      'Closed, Complete': 'closed',
      'Closed, Incomplete': 'canceled',
    },
    priorities: { ...PRIORITIES, Lowest: 0, Highest: 3 },
  },
}
