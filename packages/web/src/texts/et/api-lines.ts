import type * as english from '../api-lines.ts'
import type { Translation } from '../translation.ts'

export const apiLines: Translation<typeof english.apiLines> = {
  title: 'API',
  intro: 'ID-d ja käsud programmidele, mis seda kontrollerit kasutavad. Käsud töötavad bashis muutmata kujul.',
  show: 'Näita ID-sid ja käske',
  hide: 'Peida ID-d ja käsud',
  organization: 'Organisatsioon',
  site: 'Objekt',
  controller: 'Kontroller',
  connection: 'Ühendus',
  datapoint: 'Andmepunkt',
  override: 'Ülekirjutus',
  copyId: 'Kopeeri ID',
  copyIdOf: 'Kopeeri ID: {name}',
  askForKey: 'Sisestage üks kord oma API-võti',
  lines: {
    export: 'Ekspordi selle ühenduse andmepunktid',
    read: 'Loe selle ühenduse väärtused',
    override: 'Hoia seda andmepunkti kümme minutit väärtusel {value}',
    cancel: 'Katkesta see ülekirjutus',
  },
  controls: 'Ülekirjutus muudab töötavat seadet.',
  copyLine: 'Kopeeri käsk: {what}',
  readOnly: 'Seda andmepunkti ei saa kirjutada, seega ei saa seda üle kirjutada.',
  withKey: 'Käsud selle võtmega: {name}',
}
