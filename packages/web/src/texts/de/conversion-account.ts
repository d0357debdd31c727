import type * as english from '../conversion-account.ts'
import type { Translation } from '../translation.ts'

export const conversionAccount: Translation<typeof english.conversionAccount> = {
  became: {
    'left-out': 'weggelassen',
    'left-out-no-date': 'weggelassen, weil es besagt, dass es kein Datum gibt',
    'left-out-separators': 'weggelassen, weil es nur Trennzeichen enthält',
    'left-out-empty-comment': 'weggelassen, weil es weder Text noch Dateien hat',
    description: 'Teil der Beschreibung',
    'short-title': 'ein kürzerer Titel, der ganze steht in der Beschreibung',
    comment: 'ein Kommentar',
    'comment-part': 'Teil des Kommentars',
    'comment-too-long': 'Teil des Kommentars, weil es zu lang ist',
    'comment-missing-file': 'ein Name im Kommentar, weil die Datei fehlt',
    notes: 'Teil der Notizen',
    'notes-unfit': 'Teil der Notizen, weil dieses Feld es nicht aufnehmen kann: {field}',
    'notes-no-priority': 'Teil der Notizen, weil die Zuordnung diese Priorität nicht nennt',
    'notes-no-email': 'Teil der Notizen, weil es keine E-Mail-Adresse ist',
    'notes-long-tag': 'Teil der Notizen, weil es für ein Schlagwort zu lang ist',
    'notes-missing-file': 'ein Name in den Notizen, weil die Datei fehlt',
    'other-state': 'der Status „{state}“, der Wert steht in den Notizen',
    'reporter-email-and-notes': 'die E-Mail-Adresse der meldenden Person, und Teil der Notizen',
    'reporter-name': 'der Name der meldenden Person, weil es keine E-Mail-Adresse ist',
    'person-name-in-notes': '{field}, der Name steht in den Notizen',
    'address-name-in-notes': 'eine Adresse, der Name steht in den Notizen',
    'unstorable-character': 'Text mit � für ein Zeichen, das sich nicht speichern lässt',
    'changed-file-name': 'der Name eines Anhangs, geändert',
    'earlier-moment': 'der frühere von zwei Zeitpunkten, weil die Uhr zurückgestellt wurde',
    'later-moment': 'ein Zeitpunkt nach der Umstellung, weil die Uhr diese Zeit übersprang',
  },
  notes: {
    'encoding-assumed':
      'Eine Datei ist nicht UTF-8 und wurde als {subject} gelesen. Wenn Buchstaben falsch sind, speichern Sie sie als UTF-8 und laden Sie sie erneut hoch.',
    'other-sheets': 'Nur das Blatt {subject} wurde gelesen. Die Datei hat auch {values}.',
    'text-above-table': 'Der Text über der Tabelle wurde weggelassen: {subject}',
    'hidden-columns': 'Ausgeblendete Spalten wurden auch gelesen: {values}.',
    'items-without-ticket':
      'Weggelassene Nachfassungen, Aufgaben und Lösungen, deren Ticket nicht in den Dateien ist: {count} (Tickets: {values}).',
    'unknown-states':
      'Unbekannte Status werden „{state}“, oder „{done}“, wenn der Export sie als erledigt ausweist: {values}.',
    'unknown-priorities': 'Unbekannte Prioritäten bleiben leer: {values}.',
    'two-date-orders':
      'Daten sind in zwei Reihenfolgen geschrieben: bei {dayFirst} steht der Tag zuerst, bei {monthFirst} der Monat. Gelesen werden sie in dieser Reihenfolge: {order}. Korrigieren Sie die anderen.',
    'date-order-needed':
      'Jedes Datum passt zu zwei Reihenfolgen, zum Beispiel {values}. Wählen Sie unten die Reihenfolge.',
    'zone-assumed':
      'Die Zeitangaben nennen keine Zeitzone und werden als {subject} gelesen. Wählen Sie die Zeitzone des anderen Systems.',
    'no-id-column': 'Keine Spalte hat eine eindeutige ID. Deshalb werden IDs aus Titel und Erstellungszeit abgeleitet.',
    'no-title-column': 'Keine Spalte sieht nach einem Titel aus. Deshalb kommen Titel aus der Beschreibung.',
    'columns-missing': 'Die Zuordnung nennt Spalten, die der Export nicht hat: {values}.',
    'columns-unlisted': 'Die Zuordnung nennt diese Spalten nicht. Deshalb kommen sie in die Beschreibung: {values}.',
    'derived-ids': 'Anfragen ohne ID: {count}. Ihre IDs wurden aus Titel und Erstellungszeit abgeleitet.',
    'derived-titles': 'Anfragen ohne Titel: {count}. Sie bekamen die erste Zeile ihres Textes oder ihre Kennung.',
    'values-unlisted':
      'Die Spalte {subject} hat mehr Werte, als eine Zuordnung aufführt: {count} sind länger als 200 Zeichen oder kommen nach den ersten 10.000. Führen Sie die wichtigen auf.',
    'columns-by-values': 'An ihren Werten erkannte Spalten, nicht am Namen: {values}.',
    'states-by-evidence': 'Status, die andere Felder der Anfragen belegen: {values}. Prüfen Sie sie.',
    'requests-by-evidence':
      'Anfragen ohne einen Status, den die Zuordnung aufführt: {count} bekamen ihn aus anderen Feldern, zum Beispiel aus einem Lösungsdatum.',
    'system-unrecognized':
      'Unter den Spalten {values} wurde weder ein Titel noch ein Status von {subject} erkannt. Wählen Sie, welche Spalte der Titel und welche der Status ist.',
    'open-but-resolved': 'Offen, aber mit Lösungsdatum: {count}, zum Beispiel {values}.',
    'done-without-date': 'Gelöst oder geschlossen ohne Lösungsdatum, das andere haben: {count}, zum Beispiel {values}.',
    'one-state': 'Alle {count} Anfragen haben den Status „{one}“.',
    'future-dates': 'Mit einem Datum in der Zukunft: {count}, zum Beispiel {values}.',
    'resolved-before-created': 'Gelöst, bevor sie erstellt wurden: {count}, zum Beispiel {values}.',
    undated: 'Ohne Erstellungsdatum: {count}, zum Beispiel {values}.',
    'titles-of-fields': 'Mit einem Titel aus einem anderen Feld oder der Kennung: {count}, zum Beispiel {values}.',
  },
  siteZone:
    'Die Zeitangaben nennen keine Zeitzone und werden als {subject} gelesen, die Zeitzone dieses Standorts. Wenn das andere System eine andere hatte, wählen Sie diese.',
  andMore: '{values} und {count} weitere',
  zoneFrom: {
    site: 'Vorschlag: {zone}, die Zeitzone dieses Standorts.',
    system: 'Vorschlag: {zone}, in der dieses System Zeiten schreibt.',
    mapping: 'Vorschlag: {zone}, aus der gespeicherten Zuordnung.',
  },
  places: {
    row: 'Zeile {id}',
    record: 'Datensatz {id}',
    line: 'Zeile {id}',
    sheet: 'Blatt {id}',
    ticket: 'Ticket {id}',
    issue: 'Vorgang {id}',
    comment: 'Kommentar {id}',
    journal: 'Journaleintrag {id}',
    transaction: 'Transaktion {id}',
    attachment: 'Anhang {id}',
  },
  authors: { 'author name': 'Name des Verfassers', 'author phone': 'Telefon des Verfassers' },
  place: 'Stelle',
  column: 'Spalte',
  value: 'Wert',
  outcome: 'Was daraus wurde',
}
