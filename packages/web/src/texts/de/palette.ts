import type * as english from '../palette.ts'
import type { Translation } from '../translation.ts'

export const palette: Translation<typeof english.palette> = {
  title: 'Suchen oder öffnen',
  placeholder: 'Standort, Schlagwort, Controller, Datenpunkt, #Anfrage oder Seite',
  results: 'Ergebnisse',
  nothing: 'Nichts gefunden. Jedes Wort muss im Namen stehen, oder im Namen des Controllers oder Standorts.',
  hint: 'Pfeiltasten wählen, Enter öffnet, Escape schließt.',
  request: '#{number} {title}',
  kinds: {
    requests: 'Wartungsanfragen',
    actions: 'Aktionen',
    pages: 'Seiten',
    sites: 'Standorte',
    tags: 'Schlagwörter',
    devices: 'Controller',
    datapoints: 'Datenpunkte',
  },
  actions: {
    releaseAll: 'Alles an diesem Standort freigeben…',
    newRequest: 'Neue Wartungsanfrage…',
    shortcuts: 'Tastenkürzel',
  },
}

export const shortcuts: Translation<typeof english.shortcuts> = {
  title: 'Tastenkürzel',
  hint: 'In einem Feld gelten nur die mit Strg oder Cmd.',
  letters: 'Tastenkürzel ohne Strg oder Cmd',
  lettersHint:
    'Schalten Sie sie aus, wenn ein Programm, mit dem Sie sprechen, Tasten für Sie drückt. Dieser Browser merkt es sich.',
  key: 'Taste',
  does: 'Wirkung',
  sequence: '{first}, dann {second}',
  goTo: '„{page}“ öffnen',
  what: {
    palette: 'Suchen oder eine Seite öffnen',
    help: 'Diese Liste anzeigen',
    next: 'Nächster Eintrag der Liste',
    previous: 'Vorheriger Eintrag der Liste',
    choose: 'Eintrag auswählen oder abwählen',
    close: 'Dialog oder Menü schließen',
  },
}
