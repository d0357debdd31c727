import type { Target } from '@plantroom/contract/conversion'
import type { TicketState } from '@plantroom/contract/request-fields'
import { lookup } from '../../parts/lookup.ts'
import { personColumns, reporterColumns } from '../../parts/people.ts'
import type { SourceKind } from '../../source.ts'
import { languages } from './languages.ts'

/** Columns of the CSV export by their English names, and fields of the REST API. */
const NAMES: Readonly<Partial<Record<Target, readonly string[]>>> = {
  externalId: ['ID', 'id'],
  title: ['Title', 'name'],
  description: ['Description', 'content'],
  state: ['Status', 'status'],
  priority: ['Priority', 'priority'],
  tags: ['Category', 'itilcategories_id'],
  unit: ['Location', 'locations_id'],
  createdAt: ['Opening date', 'date'],
  updatedAt: ['Last update', 'date_mod'],
  resolvedAt: ['Resolution date', 'solvedate'],
  stateChangedAt: ['Closing date', 'closedate'],
  resolutionSummary: ['Solution - Solution', 'Solution', 'solution'],
  feedback: ['Satisfaction survey - Satisfaction'],
  comment: ['Followups - Description', 'Tasks - Description'],
  'notes+': ['Further requesters', 'Further technicians', 'Writer', 'Internal comments'],
  omit: [
    ...[
      'Writer email',
      'Comments (more)',
      'Empty comments',
      'links',
      'is_deleted',
      'users_id_recipient',
      'date_creation',
    ],
    ...['users_id_lastupdater', 'slas_id_ttr', 'slas_id_tto', 'olas_id_ttr', 'olas_id_tto', 'slalevels_id_ttr'],
    ...['sla_waiting_duration', 'ola_waiting_duration', 'waiting_duration', 'close_delay_stat', 'solve_delay_stat'],
    ...['takeintoaccount_delay_stat', 'takeintoaccountdate', 'actiontime', 'validation_percent', 'global_validation'],
    ...['begin_waiting_date', 'olalevels_id_ttr', 'internal_time_to_resolve', 'internal_time_to_own', 'time_to_own'],
    ...['ola_ttr_begin_date', 'ola_tto_begin_date', 'tickettemplates_id', 'externalid'],
  ],
}

const columns = Object.entries(NAMES).flatMap(([target, names]) => names.map((name) => [name, target as Target]))

/** Numbers of the REST API. */
const STATES = { 1: 'new', 2: 'in_progress', 3: 'in_progress', 4: 'on_hold', 5: 'resolved', 6: 'closed', 10: 'on_hold' }
const PRIORITIES = { 1: 0, 2: 0, 3: 1, 4: 2, 5: 3, 6: 3 } as const

export const defaultMapping: NonNullable<SourceKind['defaultMapping']> = {
  columns: {
    ...Object.fromEntries(columns),
    ...reporterColumns('Requester'),
    ...personColumns('Technician', 'assignee'),
    ...personColumns('Observers', 'watchers'),
  },
  states: { ...STATES, ...languages.states },
  priorities: { ...PRIORITIES, ...languages.priorities },
}

/** GLPI clears the closing date of a ticket that is opened again. */
export function evidenceOf(values: ReadonlyMap<string, string>): TicketState | undefined {
  for (const column of values.keys()) if (lookup(defaultMapping.columns, column) === 'stateChangedAt') return 'closed'
  return undefined
}
