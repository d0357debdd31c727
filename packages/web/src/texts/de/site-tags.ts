import type * as english from '../site-tags.ts'
import type { Translation } from '../translation.ts'

export const siteTags: Translation<typeof english.siteTags> = {
  tag: 'Schlagwort',
  tags: 'Schlagwörter',
  allTags: 'Alle Schlagwörter',
  none: 'Keine Schlagwörter',
  show: 'Standorte mit dem Schlagwort {tag} zeigen',
  pick: 'Nach Name oder Schlagwort suchen',
  withTag: '{count, plural, one {# Standort mit dem Schlagwort {tag}} other {# Standorte mit dem Schlagwort {tag}}}',
  settings: {
    intro:
      'Schlagwörter fassen Standorte zu Gruppen zusammen: Die Liste der Standorte kann eine Gruppe zeigen, und Mitglieder können eine Rolle an allen Standorten mit einem Schlagwort haben.',
    hint: 'Drücken Sie nach jedem Schlagwort die Eingabetaste. Mitglieder mit einer Rolle für ein Schlagwort erhalten oder verlieren den Zugriff auf diesen Standort, sobald Sie speichern.',
    save: 'Schlagwörter speichern',
    saved: 'Schlagwörter gespeichert',
    badTag: 'Ein Schlagwort hat höchstens {most} Zeichen.',
  },
  many: {
    open: 'Standorte verschlagworten',
    title: 'Standorte von {organization} verschlagworten',
    which: 'Standorte',
    shown: '{count, plural, one {Der # gerade gezeigte Standort} other {Die # gerade gezeigten Standorte}}',
    chosen: 'Ausgewählte Standorte',
    noSite: 'Wählen Sie mindestens einen Standort.',
    what: 'Aktion',
    give: 'Schlagwörter vergeben',
    take: 'Schlagwörter entfernen',
    hint: 'Drücken Sie nach jedem Schlagwort die Eingabetaste.',
    noTag: 'Geben Sie mindestens ein Schlagwort ein.',
    consequence:
      'Mitglieder mit einer Rolle für diese Schlagwörter erhalten oder verlieren sofort den Zugriff auf die Standorte.',
    submit: 'Speichern',
    failed: 'Die Schlagwörter wurden nicht geändert',
    done: '{count, plural, one {Schlagwörter von # Standort geändert} other {Schlagwörter von # Standorten geändert}}',
  },
}
