import type * as english from '../request-fields.ts'
import type { Translation } from '../translation.ts'

export const requestFields: Translation<typeof english.requestFields> = {
  externalId: 'Externe Kennung',
  number: 'Nummer',
  title: 'Titel',
  state: 'Status',
  description: 'Beschreibung',
  notes: 'Interne Notizen',
  resolutionSummary: 'Lösung',
  priority: 'Priorität',
  language: 'Sprache',
  tone: 'Tonfall',
  scope: 'Umfang',
  safetyHazard: 'Sicherheitsrisiko',
  reporter: 'Gemeldet von',
  assignee: 'Zuständig',
  supervisor: 'Aufsicht',
  watchers: 'Beobachter',
  unit: 'Einheit',
  tags: 'Schlagwörter',
  ccEmails: 'Kopien an',
  feedback: 'Bewertung',
  feedbackText: 'Kommentar zur Bewertung',
  createdAt: 'Erstellt',
  updatedAt: 'Geändert',
  resolvedAt: 'Gelöst',
  stateChangedAt: 'Status geändert',
  attachments: 'Anhänge',
}

export const changedFields: Translation<typeof english.changedFields> = {
  title: 'den Titel',
  state: 'den Status',
  description: 'die Beschreibung',
  notes: 'die internen Notizen',
  resolutionSummary: 'die Lösung',
  priority: 'die Priorität',
  language: 'die Sprache',
  scope: 'den Umfang',
  safetyHazard: 'das Sicherheitsrisiko',
  assignee: 'die Zuständigkeit',
  supervisor: 'die Aufsicht',
  watchers: 'die Beobachter',
  unit: 'die Einheit',
  tags: 'die Schlagwörter',
  tone: 'den Tonfall',
  reporter: 'die meldende Person',
  ccEmails: 'die CC-Adressen',
  feedback: 'die Bewertung',
  feedbackText: 'den Kommentar zur Bewertung',
  comments: 'die Verfasser von Kommentaren',
}

export const fieldValues: Translation<typeof english.fieldValues> = {
  scope: {
    unit: 'Eine Einheit',
    common_area: 'Gemeinschaftsfläche',
    building: 'Ganzes Gebäude',
  },
  tone: {
    neutral: 'Neutral',
    polite: 'Höflich',
    frustrated: 'Frustriert',
    angry: 'Verärgert',
  },
  safetyHazard: { true: 'Ja', false: 'Nein' },
}
