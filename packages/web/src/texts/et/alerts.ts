import type * as english from '../alerts.ts'
import type { Translation } from '../translation.ts'

export const alerts: Translation<typeof english.alerts> = {
  title: 'Häired',
  intro: 'Mis on või oli selle objekti kontrollerite, seadmete ja importidega valesti.',
  openTitle: 'Avatud',
  closedTitle: 'Möödas',
  openLabel: 'Avatud häired',
  closedLabel: 'Möödunud häired',
  what: 'Mis',
  since: 'Alates',
  until: 'Kuni',
  noneOpen: 'Kõik on korras',
  noneOpenHint: 'Häire ilmub siia, kui rike kestab kauem, kui selle reegel lubab.',
  noneClosed: 'Varasemaid häireid pole',
}

export const alertSentences: Translation<typeof english.alertSentences> = {
  'controller-offline': 'Kontroller {device} on ühenduseta',
  'connection-lost': 'Kontrolleril {device} katkes ühendus: {subject}',
  'setpoint-not-taken': '{subject} (kontroller {device}) ei võta seadeväärtust vastu',
  'not-restored': '{subject} (kontroller {device}): väärtust ei õnnestunud taastada',
  'clock-wrong': 'Kontrolleri {device} kell on vale',
  'import-failed': 'Import {subject} ebaõnnestus',
  'disk-low': 'Kontrolleri {device} ketas on peaaegu täis',
  'telemetry-gap': 'Kontrolleri {device} mõõteandmed puuduvad',
}

export const alertKinds: Translation<typeof english.alertKinds> = {
  'controller-offline': 'Kontroller ühenduseta',
  'connection-lost': 'Ühendus seadmega katkenud',
  'setpoint-not-taken': 'Seadeväärtust ei võetud vastu',
  'not-restored': 'Seadme väärtus taastamata',
  'clock-wrong': 'Kell vale',
  'import-failed': 'Import ebaõnnestus',
  'disk-low': 'Ketas peaaegu täis',
  'telemetry-gap': 'Mõõteandmed puuduvad',
}

export const alertRules: Translation<typeof english.alertRules> = {
  title: 'Häired ja veebihaagid',
  intro: 'Millal selle organisatsiooni häired avanevad ja sulguvad ning keda teavitatakse.',
  forAdmins: 'Häireid ja veebihaake saavad muuta ainult organisatsiooni administraatorid.',
  rules: 'Reeglid',
  label: 'Häirete reeglid',
  kind: 'Liik',
  on: 'Sees',
  onLabel: 'Häire: {kind}',
  openAfter: 'Avaneb pärast (sekundit)',
  openAfterLabel: 'Sekundeid enne avanemist: {kind}',
  closeAfter: 'Sulgub pärast (sekundit)',
  closeAfterLabel: 'Sekundeid enne sulgumist: {kind}',
  recipients: 'E-kiri saadetakse',
  admins: 'Kõigile organisatsiooni administraatoritele',
  addresses: 'Neile aadressidele',
  email: 'E-posti aadress',
  sites: 'Ainult nende objektide kohta',
  allSites: 'Kõik objektid',
  addAddress: 'Lisa aadress',
  removeAddress: 'Eemalda {email}',
  remove: 'Eemalda',
  badAddress: 'Sisestage e-posti aadress.',
  save: 'Salvesta reeglid',
  saved: 'Reeglid salvestatud',
}
