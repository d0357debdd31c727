import type * as english from '../record.ts'
import type { Translation } from '../translation.ts'

export const record: Translation<typeof english.record> = {
  title: 'Seadistuse protokoll',
  back: 'Tagasi süsteemide juurde',
  intro:
    'Mis on sellesse kontrollerisse laaditud, kelle poolt, kuidas seda katsetati ja mis on veel lahtine. Teenuse allkirjastatud.',
  download: 'Laadi alla JSON',
  print: 'Prindi või salvesta PDF-ina',
  open: 'Protokoll',
  openLabel: 'Protokoll: {device}',
  site: 'Objekt: {name}',
  device: 'Kontroller: {name} ({id})',
  software: 'Kontrolleri versioon: {version}',
  made: 'Koostatud: {time}',
  loaded: 'Versioon {version}, laaditud {time}, laadija: {who}',
  warnings: '{count, plural, =0 {Lahtisi hoiatusi pole} one {# lahtine hoiatus} other {# lahtist hoiatust}}',
  noTests: 'Ühtegi väljundit pole katsetatud.',
  rolledBack: 'Versioonid, mille kontroller tagasi võttis',
  signed:
    'Teenus on selle protokolli allkirjastanud. plantroom audit verify-record kontrollib allalaaditud faili ilma teenuseta.',
  columns: {
    datapoint: 'Andmepunkt',
    connection: 'Ühendus',
    access: 'Juurdepääs',
    unit: 'Ühik',
    address: 'Aadress',
    tested: 'Katsetatud väärtusega',
  },
  access: { READ: 'Lugemine', WRITE: 'Kirjutamine', READ_WRITE: 'Lugemine ja kirjutamine' },
}
