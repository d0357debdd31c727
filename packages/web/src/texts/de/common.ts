import type * as english from '../common.ts'
import type { Translation } from '../translation.ts'

export const common: Translation<typeof english.common> = {
  product: 'Plantroom',
  pageTitle: '{before} – {part}',
  alertTitle: '({alerts}) {title}',
  asOf: 'Stand {time}. Wird geladen…',
  silent: 'Plantroom antwortet nicht. Die Seite versucht es weiter.',
  loading: 'Wird geladen…',
  tryAgain: 'Erneut versuchen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  close: 'Schließen',
  showPassword: 'Passwort anzeigen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Nicht kopiert: Markieren Sie den Text',
  more: 'Mehr anzeigen',
  none: '–',
  nothingFound: 'Kein Treffer',
  clear: '{what} löschen',
  fact: '{name}: {value}',
  within: '{inner}, {outer}',
  online: 'Online',
  offline: 'Offline',
  unknown: 'Unbekannt',
  noAnswerYet: 'Noch keine Antwort',
  broken: 'Diese Seite konnte nicht angezeigt werden',
  brokenHint: 'Laden Sie sie neu. Wenn das nicht hilft, wenden Sie sich an Ihren Betreiber.',
  loadAgain: 'Seite neu laden',
  notFound: 'Seite nicht gefunden',
  notFoundHint: 'Vielleicht ist die Adresse falsch geschrieben, oder es gibt die Seite nicht mehr.',
  backToStart: 'Zur Startseite',
  noAccess: 'Sie haben keinen Zugriff auf diesen Standort',
  noOrganization: 'Sie haben keinen Zugriff auf diese Organisation',
  noAccessHint: 'Bitten Sie die Administration der Organisation um eine Rolle.',
  requestsOff: 'Wartungsanfragen sind an diesem Standort ausgeschaltet',
  requestsOffHint: 'Ein Administrator kann sie unter Einstellungen, Standort einschalten.',
  requestsOffAdmin: 'Sie können sie unter {page} einschalten.',
  siteSettings: 'Einstellungen, Standort',
}

export const overlap: Translation<typeof english.overlap> = {
  label: 'Der alte Geheimschlüssel',
  choices: {
    none: 'Gilt sofort nicht mehr',
    hour: 'Gilt noch eine Stunde',
    day: 'Gilt noch einen Tag',
    week: 'Gilt noch eine Woche',
  },
}

export const undo: Translation<typeof english.undo> = {
  action: 'Rückgängig',
  failed: 'Es wurde nicht rückgängig gemacht.',
}

export const shownOnce: Translation<typeof english.shownOnce> = {
  question: 'Haben Sie es gespeichert?',
  consequence: 'Es wurde nicht kopiert. Wenn Sie diesen Dialog schließen, kann es niemand mehr anzeigen.',
  keep: 'Offen lassen',
  discard: 'Trotzdem schließen',
}

export const errors: Translation<typeof english.errors> = {
  title: 'Etwas ist schiefgegangen',
  fromService: 'Plantroom meldet auf Englisch: „{message}“',
  unreachable: 'Plantroom ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  byCode: {
    DEVICE_OFFLINE:
      'Der Controller hat nicht geantwortet. Er ist vielleicht offline oder beschäftigt. Versuchen Sie es gleich noch einmal.',
    RECENT_SIGN_IN_REQUIRED:
      'Sie haben Ihre Identität nicht bestätigt, deshalb wurde nichts geändert. Versuchen Sie es erneut.',
    INTERNAL:
      'In Plantroom ist ein interner Fehler aufgetreten. Versuchen Sie es erneut. Wenn es wieder passiert, wenden Sie sich an Ihren Betreiber.',
    TIMEOUT: 'Die Anfrage kam nicht rechtzeitig an. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    UNKNOWN:
      'Plantroom hat unerwartet geantwortet. Versuchen Sie es erneut. Wenn es wieder passiert, wenden Sie sich an Ihren Betreiber.',
  },
}

export const navigation: Translation<typeof english.navigation> = {
  label: 'Hauptnavigation',
  skip: 'Zum Inhalt springen',
  menu: 'Menü',
  overview: 'Übersicht',
  search: 'Suchen oder öffnen…',
  searchKey: '{control} K',
  dispatches: 'Flottenabrufe',
  openadr: 'OpenADR',
  alerts: 'Alarme',
  charts: 'Diagramme',
  calendar: 'Kalender',
  schedules: 'Zeitprogramme und Grenzwerte',
  reports: 'Prüfprotokoll',
  requests: 'Wartungsanfragen',
  organization: 'Organisation',
  siteGroup: 'Standort',
  openCount: '{count} offen',
  settings: 'Einstellungen',
  packages: 'Import / Export',
  site: 'Standort',
  people: 'Einheiten und Personen',
  systems: 'Technische Systeme',
  outbox: 'Postausgang',
  keys: 'API-Schlüssel',
  members: 'Mitglieder',
  alertSettings: 'Alarme und Webhooks',
  activity: 'Aktivitäten',
  sites: 'Alle Standorte',
  account: 'Konto',
  accountOf: 'Konto: {email}',
  signOut: 'Abmelden',
  light: 'Helle Farben',
  dark: 'Dunkle Farben',
  reference: 'API-Referenz',
  help: 'Hilfe',
}

export const roles: Translation<typeof english.roles> = { viewer: 'Betrachter', manager: 'Manager', admin: 'Admin' }
