import type * as english from '../alerts.ts'
import type { Translation } from '../translation.ts'

export const alerts: Translation<typeof english.alerts> = {
  title: 'Alarme',
  intro:
    'Was mit Controllern, Anlagen, Importen und automatischen Exporten dieses Standorts nicht stimmt oder nicht stimmte.',
  openTitle: 'Offen',
  closedTitle: 'Geschlossen',
  openLabel: 'Offene Alarme',
  closedLabel: 'Geschlossene Alarme',
  what: 'Was',
  since: 'Seit',
  until: 'Bis',
  noneOpen: 'Alles in Ordnung',
  noneOpenHint: 'Ein Alarm erscheint hier, wenn eine Störung länger dauert, als ihre Regel erlaubt.',
  noneClosed: 'Noch keine geschlossenen Alarme',
}

export const alertNotifications: Translation<typeof english.alertNotifications> = {
  label: 'In diesem Browser über neue Alarme benachrichtigen',
  offer: 'Auch wenn keine Seite von Plantroom offen ist, sofern dieser Browser es zulässt.',
  hint: 'Nur solange ein Tab mit Plantroom offen ist, auch im Hintergrund. Ohne Tab erhalten Sie keine: Nutzen Sie dafür E-Mail.',
  pushed: 'Auch wenn keine Seite von Plantroom offen ist, bis Sie sich abmelden.',
  open: 'Nennen, was los ist und wo',
  openHint: 'Wer diesen Bildschirm sieht, kann es lesen, auch wenn er gesperrt ist.',
  closedHint: 'Benachrichtigungen nennen nur die Zahl neuer Alarme.',
  blocked:
    'Dieser Browser blockiert Benachrichtigungen von Plantroom. Erlauben Sie sie in seinen Einstellungen für diese Seite, und laden Sie neu.',
  unsupported:
    'Dieser Browser zeigt keine Benachrichtigungen dieser Seite. Sie brauchen HTTPS, und die meisten Telefone bieten sie nicht.',
  proofTitle: 'Benachrichtigungen sind eingeschaltet',
  proofBody: 'Neue Alarme erscheinen hier.',
  one: '{site}: Alarm',
  many: '{count, plural, one {# neuer Alarm} other {# neue Alarme}}',
  manyBody: 'Der neueste: {alert}',
}

export const alertSentences: Translation<typeof english.alertSentences> = {
  'controller-offline': 'Der Controller {device} ist offline',
  'connection-lost': 'Der Controller {device} hat die Verbindung zu {subject} verloren',
  'setpoint-not-taken': '{subject} am Controller {device} übernimmt den Sollwert nicht',
  'not-restored': '{subject} am Controller {device} konnte nicht zurückgesetzt werden',
  'limit-not-kept': 'Der Standort des Controllers {device} lag über seiner Leistungsbegrenzung',
  'openadr-unreachable': 'Das OpenADR-Programm {subject} ist nicht erreichbar',
  'openadr-refused': 'Ereignisse des OpenADR-Programms {subject} konnten nicht umgesetzt werden',
  'clock-wrong': 'Die Uhr des Controllers {device} geht falsch',
  'import-failed': 'Der Import von {subject} ist fehlgeschlagen',
  'export-failed': 'Der automatische Export nach {subject} ist fehlgeschlagen',
  'disk-low': 'Der Speicher des Controllers {device} ist fast voll',
  'disk-failed': 'Der Controller {device} kann seine Daten nicht speichern',
  'memory-lost': 'Der Controller {device} hatte seine gespeicherten Daten verloren',
  'file-rolled-back': 'Der Controller {device} ist zu seiner früheren Inbetriebnahmedatei zurückgekehrt',
  'telemetry-gap': 'Messwerte des Controllers {device} fehlen',
}

export const alertAdvice: Translation<typeof english.alertAdvice> = {
  'controller-offline':
    'Prüfen Sie seine Stromversorgung und sein Netzwerk. Ist nur seine Verbindung gestört, beendet er seine Übersteuerungen pünktlich. Hat er keinen Strom, bleibt seine Anlage, wie sie ist, wenn sie keinen Failsafe hat: Sehen Sie vor Ort nach.',
  'connection-lost':
    'Prüfen Sie Stromversorgung und Netzwerk der Anlage. Der Controller verbindet sich automatisch wieder.',
  'setpoint-not-taken':
    'Prüfen Sie, ob die Anlage vor Ort oder von Hand bedient wird. Der Controller versucht es weiter.',
  'not-restored':
    'Setzen Sie die Anlage von Hand zurück, wenn es jetzt wichtig ist. Kann der Controller es nicht bestätigen, schließen Sie den Eingriff ab.',
  'limit-not-kept':
    'Öffnen Sie das Intervall, um zu sehen, was die Leistung bezogen hat. Der Alarm endet, sobald ein späteres Intervall den Grenzwert einhält.',
  'openadr-unreachable':
    'Öffnen Sie OpenADR, und prüfen Sie die Verbindung: Die Prüfung nennt, was Sie den Betreiber des VTN fragen sollten. Was gesetzt ist, endet pünktlich.',
  'openadr-refused':
    'Öffnen Sie OpenADR: Jedes Ereignis nennt, was welcher Controller warum abgelehnt hat. Der Alarm endet mit dem Ereignis, oder sobald es umgesetzt werden kann.',
  'clock-wrong':
    'Korrigieren Sie die Uhr oder ihren Zeitserver. Bis dahin verwendet der Controller die Uhrzeit von Plantroom. Startet er ohne Verbindung neu, muss er seine Übersteuerungen möglicherweise unterbrechen.',
  'import-failed': 'Öffnen Sie Import / Export, lesen Sie, was fehlschlug, und importieren Sie das Paket erneut.',
  'export-failed':
    'Öffnen Sie Import / Export, beheben Sie, was hier steht, und starten Sie den automatischen Export. Der Alarm endet, wenn ein Paket angekommen ist.',
  'disk-low': 'Schaffen Sie Platz im Speicher des Controllers, oder ersetzen Sie ihn. Sonst gehen Messwerte verloren.',
  'disk-failed':
    'Der Controller nimmt keine Übersteuerung an, bis sein Speicher wieder beschreibbar ist. Was er hält, endet trotzdem rechtzeitig. Prüfen oder ersetzen Sie den Speicher.',
  'memory-lost':
    'Der Dienst hat zurückgegeben, was er wusste: Was beendet war, wurde freigegeben, der Rest läuft weiter. Prüfen Sie die gehaltenen Anlagen und den Speicher des Controllers.',
  'file-rolled-back':
    'Mit der neuen Datei gingen innerhalb von zehn Minuten Verbindungen oder der Dienst verloren, deshalb hat der Controller sie zurückgenommen. Vergleichen Sie die Versionen auf der Seite Systeme, korrigieren Sie die Datei und laden Sie sie erneut. Ist die Datei richtig, wählen Sie beim Laden „Auf jeden Fall behalten“.',
  'telemetry-gap': 'Prüfen Sie Speicher und Netzwerk des Controllers. Die Steuerung ist nicht betroffen.',
}

export const alertCauses: Translation<typeof english.alertCauses> = {
  missed:
    'Er ist überfällig, und kein Worker läuft. Bitten Sie den Betreiber, einen zu starten. Dann läuft der Export einmal.',
  stopped:
    'Der API-Schlüssel, mit dem er eingerichtet wurde, ist widerrufen oder abgelaufen. Prüfen Sie die Ziele, und speichern Sie ihn erneut.',
  queued: 'Er wartet seit mehr als 6 Stunden auf einen freien Worker. Bitten Sie den Betreiber um weitere Worker.',
}

export const limitMissed: Translation<typeof english.limitMissed> = {
  mean: 'Der Mittelwert betrug {mean}, der Grenzwert {limit}.',
}

export const limitCauses: Translation<typeof english.limitCauses> = {
  unlimited: 'Die Begrenzung endete innerhalb des Intervalls.',
  limited: 'Die Lasten folgten nicht rechtzeitig: Prüfen Sie, ob sie annehmen, was der Controller schreibt.',
  fallback: 'Auf den Zähler war kein Verlass: Prüfen Sie den Zähler und seine Verbindung.',
  exhausted:
    'Alles, was verstellt werden darf, war verstellt: Schalten Sie andere Verbraucher ab, oder nehmen Sie weitere Lasten in die Inbetriebnahmedatei auf.',
}

export const alertKinds: Translation<typeof english.alertKinds> = {
  'controller-offline': 'Controller offline',
  'connection-lost': 'Verbindung zur Anlage verloren',
  'setpoint-not-taken': 'Sollwert nicht übernommen',
  'not-restored': 'Anlage nicht zurückgesetzt',
  'limit-not-kept': 'Leistungsbegrenzung nicht eingehalten',
  'openadr-unreachable': 'OpenADR-Programm nicht erreichbar',
  'openadr-refused': 'OpenADR-Ereignis abgelehnt',
  'clock-wrong': 'Uhr geht falsch',
  'import-failed': 'Import fehlgeschlagen',
  'export-failed': 'Automatischer Export fehlgeschlagen',
  'disk-low': 'Speicher fast voll',
  'disk-failed': 'Speicher nicht beschreibbar',
  'memory-lost': 'Gespeicherte Daten verloren',
  'file-rolled-back': 'Inbetriebnahmedatei zurückgenommen',
  'telemetry-gap': 'Messwerte fehlen',
}

export const alertRules: Translation<typeof english.alertRules> = {
  title: 'Alarme und Webhooks',
  intro: 'Wann Alarme dieser Organisation beginnen und enden, und wer dazu E-Mails erhält.',
  forAdmins: 'Nur Administratoren der Organisation können ihre Alarme und Webhooks ändern.',
  rules: 'Regeln',
  label: 'Alarmregeln',
  kind: 'Art',
  on: 'Ein',
  onLabel: 'Alarm: {kind}',
  openAfter: 'Auslösen nach',
  openAfterLabel: 'Auslösen nach: {kind}',
  closeAfter: 'Schließen nach',
  closeAfterLabel: 'Schließen nach: {kind}',
  badDelay: 'Geben Sie eine Zeit bis 24 h ein, zum Beispiel 5 min oder 1 h.',
  recipients: 'E-Mail geht an',
  mail: {
    recipientsLater: 'Sobald der Dienst E-Mails sendet, gehen sie an',
    none: 'Dieser Dienst sendet keine E-Mails',
    noneHint:
      'Alarme werden in der Konsole gezeigt und an Webhooks gesendet. Für E-Mails setzt der Betreiber des Dienstes SMTP_URL und startet den Dienst und seine Worker neu.',
    toSettings: 'Einstellungen des Dienstes',
    test: 'Testmail an mich senden',
    queued: 'Eine Testmail an {email} ist unterwegs. Wenn sie nicht ankommt, fragen Sie den Betreiber des Dienstes.',
    queuedIn: 'Eine Testmail an {email} ist unterwegs. {outbox} zeigt, ob der Mailserver sie angenommen hat.',
  },
  admins: 'Alle Administratoren der Organisation',
  addresses: 'Diese Adressen',
  email: 'E-Mail-Adresse',
  sites: 'Nur zu diesen Standorten',
  allSites: 'Alle Standorte',
  addAddress: 'Adresse hinzufügen',
  removeAddress: '{email} entfernen',
  remove: 'Entfernen',
  badAddress: 'Geben Sie eine E-Mail-Adresse ein.',
  save: 'Regeln speichern',
  saved: 'Regeln gespeichert',
}
