import type * as english from '../replacement.ts'
import type { Translation } from '../translation.ts'

export const replacement: Translation<typeof english.replacement> = {
  open: 'Hardware ersetzen',
  openLabel: 'Hardware ersetzen: {name}',
  title: 'Hardware von {name} ersetzen?',
  intro:
    'Der neue Controller behält Name und Kennung. Er erhält, was in Betrieb ist und was gehalten wurde, sobald er sich zum ersten Mal mit leerem Datenordner verbindet.',
  oneMaster:
    'Schalten Sie den alten Controller aus oder trennen Sie ihn vom Netzwerk der Anlagen, bevor Sie den neuen starten. Er steuert auch ohne den Dienst weiter.',
  online:
    'Dieser Controller ist online. Ersetzen Sie ihn nur, wenn Sie ihn gleich ausschalten: Er wird sofort getrennt.',
  waiting:
    'Seit {time} wird ein neuer Controller erwartet. Wenn Sie fortfahren, braucht er den neuesten Geheimschlüssel.',
  problem: 'Der neue Controller konnte nicht übernehmen: {problem}',
  restored: 'Der jetzige Controller hat um {time} übernommen.',
  systems:
    '{count, plural, =0 {Nichts ist in Betrieb.} one {# technisches System wird auf den neuen Controller geladen.} other {# technische Systeme werden auf den neuen Controller geladen.}}',
  stateAt: 'Was der Controller hielt, Stand {time}',
  noState: 'Der Controller hat nie gesagt, was er hielt.',
  overrides:
    '{count, plural, =0 {Keine Übersteuerung läuft weiter.} one {# Übersteuerung läuft weiter:} other {# Übersteuerungen laufen weiter:}}',
  override: '{datapoint} auf {value} bis {time}',
  queued: '{datapoint} auf {value} ab {time}',
  limits: '{count, plural, one {# Leistungsbegrenzung läuft weiter:} other {# Leistungsbegrenzungen laufen weiter:}}',
  limit: '{limit}, bis {time}',
  queuedLimit: '{limit}, ab {time}',
  releases: '{datapoint} wird auf {value} zurückgesetzt',
  releasesUnknown: '{datapoint} wird freigegeben, aber der vorherige Wert ist unbekannt: Prüfen Sie die Anlage',
  untouched: '{datapoint} wurde vor so langer Zeit gehalten, dass nichts geändert wird: Prüfen Sie die Anlage',
  leftOut:
    '{count, plural, one {# Übersteuerung oder Leistungsbegrenzung ist vorbei und kommt nicht wieder} other {# Übersteuerungen oder Leistungsbegrenzungen sind vorbei und kommen nicht wieder}}',
  unknown:
    '{count, plural, one {# angenommene Übersteuerung oder Leistungsbegrenzung ist nicht genau bekannt: Senden Sie sie erneut} other {# angenommene Übersteuerungen oder Leistungsbegrenzungen sind nicht genau bekannt: Senden Sie sie erneut}}',
  action: 'Hardware ersetzen',
  version: 'Version {version}',
  tooOld:
    'Zu alt für diesen Dienst: Aktualisieren Sie den Controller. Bis dahin erhält er keine Befehle außer Abbrüchen.',
  tooNew:
    'Zu neu für diesen Dienst: Aktualisieren Sie den Dienst. Bis dahin erhält der Controller keine Befehle außer Abbrüchen.',
}
