import type * as english from '../site.ts'
import type { Translation } from '../translation.ts'

export const site: Translation<typeof english.site> = {
  localTime: '{time} objektil',
  localTimeInZone: '{time} objektil ({timeZone})',
  held: 'Praegu hoitakse',
  heldThen: 'Viimati teada hoitud',
  heldCount: '{count, plural, one {# andmepunkt} other {# andmepunkti}}',
  nothingHeld: 'Kehtivaid ülekirjutusi pole. Hoonet juhib kohalik automaatika.',
  nothingHeldKnown: 'Kontrolleritel, mis vastavad, pole kehtivaid ülekirjutusi.',
  notKnown:
    '{count, plural, one {{controllers} ei vasta ega ole kunagi oma olekut saatnud, seega pole selle ülekirjutused teada. Kui katkenud on ainult ühendus, lõpetab see need õigel ajal. Kui sellel pole voolu, jääb seade nii, nagu on: minge kohale.} other {{controllers} ei vasta ega ole kunagi oma olekut saatnud, seega pole nende ülekirjutused teada. Kui katkenud on ainult ühendus, lõpetavad need ülekirjutused õigel ajal. Kui neil pole voolu, jäävad seadmed nii, nagu on: minge kohale.}}',
  nothingHeldThen: 'Kui kontrollerid viimati vastasid, polnud kehtivaid ülekirjutusi.',
  lostTitle: 'Plantroom ei vasta',
  lost: 'Teenus on vaikinud {age}. Miski siin pole reaalajas. Leht loob ühenduse automaatselt uuesti.',
  listening: 'Ühenduse loomine: {controllers}…',
  stale: 'Viimane teadaolev olek, {age} tagasi ({time})',
  equipmentAt: 'Seadme väärtus',
  writeOnly: 'Ainult kirjutatav: seda ei saa lugeda',
  unreadable: 'Ei saa lugeda: {why}',
  release: 'Vabasta',
  releaseOf: 'Vabasta {name}',
  releaseAll: 'Vabasta objektil kõik…',
  allAlerts: 'Kõik häired',
  since: 'Alates {time}',
  heldAt: 'Hoitakse väärtusel',
  releasingTo: 'Läheb tagasi väärtusele',
  on: '{connection} · {controller}',
  unknownDatapoint: 'Andmepunkt pole enam seadistatud',
  showAll: '{count, plural, one {Näita # andmepunkti} other {Näita kõiki # andmepunkti}}',
  queued: '{count, plural, one {# ülekirjutus ootel.} other {# ülekirjutust ootel.}}',
  queuedNext: 'Järgmine: {name} väärtusel {value}, {from} kuni {to} (alguseni {left})',
  devices: 'Kontrollerid',
  noDevices: 'Sellel objektil pole veel kontrollereid',
  noDevicesHint: 'Administraator saab kontrolleri lisada ja seadistada: Seaded, Tehnosüsteemid.',
  addDevice: 'Lisa esimene kontroller',
  clockSuspect: 'Kontroller ei tea veel kellaaega. Seni lükkab see uued ülekirjutused tagasi.',
  connectionsWork: '{count, plural, one {Ühendus töötab} other {Kõik # ühendust töötavad}}',
  noConnections: 'Sellel pole midagi seadistatud',
  connectionStatus: { 1: 'ühendatud', 2: 'ühendamine…', 0: 'lahti ühendatud', [-1]: 'ebaõnnestus' },
  connectionTrouble: '{name}: {status}',
  unknownConnection: 'Ühendus pole enam seadistatud',
  notAnswering: 'Kontroller ei vasta ega ole kunagi oma olekut saatnud.',
  notAnsweringSince: 'Kontroller ei vasta. Viimane teadaolev olek: {age} tagasi ({time}).',
  answersSlowly: 'Viimane teadaolev olek: {age} tagasi ({time}).',
  notConnected: 'Kontroller pole ühendatud.',
  requests: 'Avatud hooldustaotlused',
  allRequests: 'Kõik hooldustaotlused',
  noRequests: 'Avatud taotlusi pole.',
  requestNumber: '#{number}',
}

export const releaseSite: Translation<typeof english.releaseSite> = {
  title: 'Kas vabastada sellel objektil kõik?',
  what: 'Kõik selle objekti tarbimiskaja ülekirjutused katkestatakse, ka ootel olevad:',
  heldOn:
    '{count, plural, one {{name}, hoitakse väärtusel {value}: # ülekirjutus} other {{name}, hoitakse väärtusel {value}: # ülekirjutust}}',
  queuedOn: '{count, plural, one {{name}: # ootel ülekirjutus} other {{name}: # ootel ülekirjutust}}',
  more: '{count, plural, one {Ja veel # andmepunkt.} other {Ja veel # andmepunkti.}}',
  leftOut:
    '{count, plural, one {Kontrolleril on veel # ülekirjutus, mida see ei loetle. Vabastage pärast uuesti.} other {Kontrolleril on veel # ülekirjutust, mida see ei loetle. Vabastage pärast uuesti.}}',
  others: 'Seejärel juhib seadmeid tipukoormuse piiramine või ajakava või taastub nende varasem väärtus.',
  unreachableTitle: 'Vabastamata',
  unreachable:
    '{count, plural, one {{controllers} ei vasta. Kui katkenud on ainult ühendus, lõpetab see oma ülekirjutused õigel ajal. Kui sellel pole voolu, jääb seade nii, nagu on: minge kohale.} other {{controllers} ei vasta. Kui katkenud on ainult ühendus, lõpetavad need oma ülekirjutused õigel ajal. Kui neil pole voolu, jäävad seadmed nii, nagu on: minge kohale.}}',
  nothing: 'Kontrolleritel, mis vastavad, pole ülekirjutusi.',
  action: '{count, plural, one {Vabasta # andmepunkt} other {Vabasta # andmepunkti}}',
  releasing:
    '{count, plural, one {{name}: vabastatud {done} / # andmepunkt…} other {{name}: vabastatud {done} / # andmepunkti…}}',
  released:
    '{count, plural, one {{name}: vabastatud {done} / # andmepunkt} other {{name}: vabastatud {done} / # andmepunkti}}',
  failed: '{name} jäi vabastamata: {why}',
  again: '{count, plural, one {Proovi # andmepunkti uuesti} other {Proovi # andmepunkti uuesti}}',
}

export const siteStatus: Translation<typeof english.siteStatus> = {
  label: 'Objekti olek',
  well: '{count, plural, one {Kõik korras: # kontroller vastab} other {Kõik korras: # kontrollerit vastab}}, {connections, plural, one {# ühendus töötab} other {# ühendust töötab}}.',
  asking: 'Kontrolleritega võetakse ühendust…',
  nothing: 'Kontrollerit veel pole.',
  snoozed: '{count, plural, one {Uut pole. # häire on edasi lükatud.} other {Uut pole. # häiret on edasi lükatud.}}',
  offline: '{controller} ei vasta',
  connection: '{controller} on kaotanud ühenduse: {connection}',
  andOthers: '{sentence}, {count, plural, one {ja veel #} other {ja veel #}}',
  more: '{count, plural, one {veel #} other {veel #}}',
}

export const recent: Translation<typeof english.recent> = {
  steady: 'Viimane tund: {value}',
  between: 'Viimane tund: {min} kuni {max}',
}
