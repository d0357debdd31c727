import type { Target } from '@plantroom/contract/conversion'
import type { TicketState } from '@plantroom/contract/request-fields'
import { lookup } from '../../parts/lookup.ts'
import { personColumns, reporterColumns } from '../../parts/people.ts'
import type { SourceKind } from '../../source.ts'

/** Columns of the CSV export in English, French and German, and fields of the REST API. */
const NAMES: Readonly<Partial<Record<Target, readonly string[]>>> = {
  externalId: ['ID', 'id'],
  title: ['Title', 'Titre', 'Titel', 'name'],
  description: ['Description', 'Beschreibung', 'content'],
  state: ['Status', 'Statut', 'status'],
  priority: ['Priority', 'Priorité', 'Priorität', 'priority'],
  tags: ['Category', 'Catégorie', 'Kategorie', 'itilcategories_id'],
  unit: ['Location', 'Lieu', 'Standort', 'locations_id'],
  createdAt: ['Opening date', "Date d'ouverture", 'Date d’ouverture', 'Eröffnungsdatum', 'eröffnet am', 'date'],
  updatedAt: ['Last update', 'Dernière modification', 'Letzte Aktualisierung', 'date_mod'],
  resolvedAt: ['Resolution date', 'Date de résolution', 'Lösungsdatum', 'Gelöst am', 'solvedate'],
  stateChangedAt: ['Closing date', 'Date de clôture', 'Abschlussdatum', 'Abgeschlossen am', 'closedate'],
  resolutionSummary: ['Solution - Solution', 'Lösung - Lösung', 'Solution', 'Lösung', 'solution'],
  feedback: ['Satisfaction survey - Satisfaction', 'Enquête de satisfaction - Satisfaction'],
  comment: [
    ...[
      'Followups - Description',
      'Suivis - Description',
      'Anmerkungen - Beschreibung',
      'Nachverfolgungen - Beschreibung',
    ],
    ...['Tasks - Description', 'Tâches - Description', 'Aufgaben - Beschreibung', 'Tätigkeiten - Beschreibung'],
  ],
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

/** By status, as GLPI names it in English, French and German, older versions included. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  new: ['1', 'New', 'Nouveau', 'Neu'],
  in_progress: [
    ...['2', 'Processing (assigned)', 'En cours (Attribué)', 'In Bearbeitung (zugewiesen)'],
    ...[
      '3',
      'Processing (planned)',
      'En cours (Planifié)',
      'In Bearbeitung (mit Zeitplan)',
      'In Bearbeitung (geplant)',
    ],
  ],
  on_hold: [
    ...['4', 'Pending', 'En attente', 'Wartend', 'In der Warteschlange'],
    ...['10', 'Approval', 'Validation', 'Genehmigung'],
  ],
  resolved: ['5', 'Solved', 'Résolu', 'Gelöst'],
  closed: ['6', 'Closed', 'Clos', 'Geschlossen', 'Abgeschlossen'],
}

const PRIORITIES: Readonly<Record<0 | 1 | 2 | 3, readonly string[]>> = {
  0: ['1', 'Very low', 'Très basse', 'Sehr niedrig', '2', 'Low', 'Basse', 'Niedrig'],
  1: ['3', 'Medium', 'Moyenne', 'Mittel'],
  2: ['4', 'High', 'Haute', 'Hoch'],
  3: ['5', 'Very high', 'Très haute', 'Sehr hoch', '6', 'Major', 'Majeure', 'Kritisch'],
}

export const defaultMapping: NonNullable<SourceKind['defaultMapping']> = {
  columns: {
    ...Object.fromEntries(columns),
    ...reporterColumns('Requester'),
    ...personColumns('Technician', 'assignee'),
    ...personColumns('Observers', 'watchers'),
  },
  states: Object.fromEntries(Object.entries(STATES).flatMap(([state, names]) => names.map((name) => [name, state]))),
  priorities: Object.fromEntries(
    ([0, 1, 2, 3] as const).flatMap((priority) => PRIORITIES[priority].map((name) => [name, priority])),
  ),
}

/** GLPI clears the closing date of a ticket that is opened again. */
export function evidenceOf(values: ReadonlyMap<string, string>): TicketState | undefined {
  for (const column of values.keys()) if (lookup(defaultMapping.columns, column) === 'stateChangedAt') return 'closed'
  return undefined
}
