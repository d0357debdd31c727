import type * as english from '../getting-started.ts'
import type { Translation } from '../translation.ts'

export const gettingStarted: Translation<typeof english.gettingStarted> = {
  title: 'Erste Schritte',
  progress: '{count, plural, one {{done} von # Schritt erledigt} other {{done} von # Schritten erledigt}}',
  done: '(erledigt)',
  dismiss: 'Liste ausblenden',
  dismissed: 'Die Liste der ersten Schritte ist ausgeblendet',
  steps: {
    site: {
      action: 'Standort hinzufügen',
      why: 'Ein Standort ist ein Gebäude oder eine Liegenschaft. Controller, Mitglieder und Wartungsanfragen gehören dazu.',
    },
    controller: {
      action: 'Controller hinzufügen',
      why: 'Er läuft im Gebäude und spricht mit den Anlagen. Sie erhalten den Befehl, der ihn startet.',
    },
    commissioned: {
      action: 'Inbetriebnahmedatei laden',
      why: 'Sie sagt dem Controller, welche Anlagen es gibt und welche Datenpunkte lesbar und übersteuerbar sind.',
    },
    key: {
      action: 'API-Schlüssel erstellen',
      why: 'Ein Flexibilitätsanbieter liest damit aus seinem Programm Werte und setzt Übersteuerungen.',
    },
    override: {
      action: 'Erste Übersteuerung setzen',
      why: 'Halten Sie einen Datenpunkt ein paar Minuten, und sehen Sie, dass der Controller ihn pünktlich freigibt.',
    },
  },
}
