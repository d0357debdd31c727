import type { Target } from '@plantroom/contract/conversion'

const words = (text: string): readonly string[] => text.split('|')

/** Headers of public registers, of databases of maintenance systems, and of German lists. The first of a list fits best. */
export const TABLE_HEADERS: Readonly<Partial<Record<Target, readonly string[]>>> = {
  externalId: words(
    'unique key|wonum|ticketid|record id|service request number|service request id|sr number|work order no|request no|issue id|issue number|incident id|incident number|case no|complaint id|auftrag|auftrags id|auftragsnr|vorgang|vorgangs id|meldungs id|störungsnummer|fallnummer|laufende nummer',
  ),
  title: words('descriptor|complaint type|request type|service name|problem code description|kurztext|störung|thema'),
  description: words('longdescription|description longdescription|langtext|fehlerbeschreibung|störungsbeschreibung'),
  resolutionSummary: words('resolution description|status notes|abschlussbemerkung|erledigungsvermerk'),
  state: words('wostatus|ticket status|request status|auftragsstatus|bearbeitungsstatus|meldungsstatus|stand'),
  priority: words('wopriority|priority code|priority level|prio|wichtigkeit'),
  'reporter.name': words('reportedby|auftraggeber|gemeldet durch|meldende person'),
  assignee: words('assigned technician|monteur|sachbearbeiter|verantwortlich|verantwortlicher'),
  unit: words('gebäude|objekt|zimmer|raumnummer|etage'),
  createdAt: words(
    'reportdate|reported date|report date|opened date|open date|date opened|request date|requested date|requested datetime|date received|received date|entered date|date entered|meldedatum|eingangsdatum|eingang|eingegangen am|erfasst am|erfassungsdatum|erstelldatum|anlagedatum|auftragsdatum|eröffnet am',
  ),
  updatedAt: words(
    'changedate|updated date|updated datetime|last modified date|date modified|resolution action updated date|änderungsdatum|letzte änderung|zuletzt bearbeitet',
  ),
  resolvedAt: words(
    'completed date|closed date|resolved date|resolution date|date resolved|actual finish|actfinish|actual completion date|closed datetime|erledigt|erledigungsdatum|abschlussdatum|fertigstellungsdatum|fertiggestellt am|behoben am|lösungsdatum|abgeschlossen|geschlossen',
  ),
  stateChangedAt: words('statusdate|status date|statusdatum'),
}
