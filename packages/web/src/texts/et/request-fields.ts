import type * as english from '../request-fields.ts'
import type { Translation } from '../translation.ts'

export const requestFields: Translation<typeof english.requestFields> = {
  externalId: 'Väline ID',
  number: 'Number',
  title: 'Pealkiri',
  state: 'Olek',
  description: 'Kirjeldus',
  notes: 'Töötajate märkmed',
  resolutionSummary: 'Lahendus',
  priority: 'Prioriteet',
  language: 'Keel',
  tone: 'Toon',
  scope: 'Ulatus',
  safetyHazard: 'Ohutusrisk',
  reporter: 'Teataja',
  assignee: 'Vastutaja',
  supervisor: 'Järelevaataja',
  watchers: 'Jälgijad',
  unit: 'Üksus',
  tags: 'Sildid',
  ccEmails: 'Koopiad',
  feedback: 'Tagasiside',
  feedbackText: 'Tagasiside kommentaar',
  createdAt: 'Loodud',
  updatedAt: 'Muudetud',
  resolvedAt: 'Lahendatud',
  stateChangedAt: 'Olek muudetud',
  attachments: 'Manused',
}

export const changedFields: Translation<typeof english.changedFields> = {
  title: 'pealkiri',
  state: 'olek',
  description: 'kirjeldus',
  notes: 'töötajate märkmed',
  resolutionSummary: 'lahendus',
  priority: 'prioriteet',
  language: 'keel',
  scope: 'ulatus',
  safetyHazard: 'ohutusrisk',
  assignee: 'vastutaja',
  supervisor: 'järelevaataja',
  watchers: 'jälgijad',
  unit: 'üksus',
  tags: 'sildid',
  tone: 'toon',
  reporter: 'teataja',
  ccEmails: 'CC-aadressid',
  feedback: 'tagasiside',
  feedbackText: 'tagasiside kommentaar',
  comments: 'kommentaaride autorid',
}

export const fieldValues: Translation<typeof english.fieldValues> = {
  scope: {
    unit: 'Üks üksus',
    common_area: 'Üldkasutatav ala',
    building: 'Kogu hoone',
  },
  tone: {
    neutral: 'Neutraalne',
    polite: 'Viisakas',
    frustrated: 'Pettunud',
    angry: 'Vihane',
  },
  safetyHazard: { true: 'Jah', false: 'Ei' },
}
