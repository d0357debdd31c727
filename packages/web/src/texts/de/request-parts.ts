import type * as english from '../request-parts.ts'
import type { Translation } from '../translation.ts'

export const files: Translation<typeof english.files> = {
  add: 'Dateien hinzufügen',
  photo: 'Foto aufnehmen',
  dropNow: 'Dateien hier ablegen',
  hint: 'Sie können Dateien hier auch ablegen oder einfügen. Bis zu 20 Dateien mit je höchstens 100 MB.',
  chosen: 'Gewählte Dateien',
  waiting: 'Wartet',
  sending: '{percent} % von {size} hochgeladen',
  done: 'Hochgeladen, {size}',
  failed: 'Nicht hochgeladen: {reason}',
  retry: '{name} erneut hochladen',
  retryShort: 'Erneut versuchen',
  remove: '{name} entfernen',
  removeShort: 'Entfernen',
  cancel: 'Hochladen von {name} abbrechen',
  cancelShort: 'Abbrechen',
  tooMany:
    'Eine Anfrage oder ein Kommentar kann höchstens 20 Dateien haben. {name} und die folgenden wurden weggelassen.',
  tooLarge: '{name} hat {size}. Eine Datei kann höchstens 100 MB haben.',
  wait: 'Sie können senden, wenn alle Dateien hochgeladen sind.',
  unfinished: 'Einige Dateien wurden nicht hochgeladen. Versuchen Sie es erneut, oder entfernen Sie sie.',
  pictures: 'Fotos',
  open: '{name} anzeigen',
  noPreview: 'Wird hier nicht angezeigt: kein Foto oder zu groß.',
  sizeAndType: '{size}, {type}',
}

export const viewer: Translation<typeof english.viewer> = {
  place: '{place} von {count}',
  previous: 'Voriges Foto',
  next: 'Nächstes Foto',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  fit: '{percent} %, an Bildschirm anpassen',
  zoom: '{percent} %',
  download: 'Herunterladen',
  failed: 'Diese Datei kann nicht angezeigt werden. Laden Sie sie herunter, um sie zu öffnen.',
}

export const history: Translation<typeof english.history> = {
  created: '{who} hat die Anfrage erstellt',
  imported: '{who} hat die Anfrage importiert',
  set: '{who} hat {field} auf {to} gesetzt',
  removed: '{who} hat {field} entfernt ({from})',
  changed: '{who} hat {field} von {from} auf {to} geändert',
  changedText: '{who} hat {field} geändert',
  filled: '{who} hat {field} aus einem Paket ergänzt',
  line: '{what} · {time}',
  showFolded: '{count, plural, one {# frühere Änderung anzeigen} other {# frühere Änderungen anzeigen}}',
  show: 'Änderung anzeigen',
  hide: 'Änderung ausblenden',
  before: 'Vorher',
  after: 'Nachher',
  nothing: 'Leer',
  value: '„{text}“',
  key: 'API-Schlüssel „{name}“',
  operator: 'Der Betreiber',
  someone: 'Jemand',
  removedPerson: 'eine entfernte Person',
  yes: 'ja',
  no: 'nein',
  older: 'Änderungen vor den neuesten 500 werden nicht angezeigt. Die API führt alle auf.',
  failed: 'Die Änderungen dieser Anfrage konnten nicht geladen werden',
}

export const editing: Translation<typeof english.editing> = {
  edit: 'Bearbeiten',
  print: 'Drucken',
  title: 'Anfrage #{number} bearbeiten',
  notesHint: 'Nur Personen, die sich anmelden, sehen sie. Sie werden nie per E-Mail geschickt.',
  longText: 'Ein Text kann höchstens 50.000 Zeichen haben. Dieser hat {characters}.',
  tooLongToEdit: 'Dieser Text kam mit einem Import und ist zu lang, um ihn hier zu bearbeiten.',
  saved: 'Änderungen gespeichert',
  conflict: 'Jemand anderes hat diese Anfrage geändert, während Sie sie bearbeitet haben',
  conflictHint:
    'Von Ihrem Text ist nichts verloren, und noch wurde nichts gespeichert. Vergleichen Sie unten, und speichern Sie erneut.',
  theirs: '{field} ist jetzt:',
  theirsBy: '{field}, geändert von {who}:',
  useTheirs: 'Diesen Text verwenden',
  keepMine: 'Wenn Sie erneut speichern, ersetzt Ihr Text diesen.',
  emptied: 'Leer',
}

export const mentions: Translation<typeof english.mentions> = {
  hint: 'Tippen Sie @, um jemanden zu erwähnen, der an diesem Standort arbeitet. Die Person erhält eine E-Mail.',
  choices: 'Personen zum Erwähnen',
  you: 'Erwähnt Sie',
  choice: '{name} ({email})',
}

export const noMail: Translation<typeof english.noMail> = {
  willNotBeSent: 'Der Kommentar wird nicht an {email} geschickt: Es ist kein Mailserver eingerichtet.',
  notSent: 'Ihr Kommentar wurde hinzugefügt. Nicht an {email} geschickt: Es ist kein Mailserver eingerichtet.',
  remedy:
    'Der Betreiber des Dienstes setzt SMTP_URL und startet ihn neu. Die E-Mail wartet im Postausgang und wird dann gesendet.',
}
