import type * as english from '../reports.ts'
import type { Translation } from '../translation.ts'

export const reports: Translation<typeof english.reports> = {
  beforeAndAfter: 'Enne ja pärast',
  title: 'Auditilogi',
  about: 'Mida tarbimiskaja, tipukoormuse piiramine ja ajakavad selle objekti seadmetega tegid.',
  listLabel: 'Auditikirjed, uuemad ees',
  time: 'Aeg',
  happened: 'Sündmus',
  device: 'Kontroller',
  system: 'Tehnosüsteem',
  datapoint: 'Andmepunkt',
  value: 'Väärtus',
  code: 'Liik',
  from: 'Alates',
  to: 'Kuni (välja arvatud)',
  zone: 'Ajad on objekti ajavööndis ({zone}).',
  anyDevice: 'Kõik kontrollerid',
  anySystem: 'Kõik süsteemid',
  anyDatapoint: 'Kõik andmepunktid',
  anyCode: 'Kõik liigid',
  datapointOn: '{name} ({connection})',
  filtersLabel: 'Filtrid',
  clearFilters: 'Tühjenda filtrid',
  emptyRange: '„Alates“ peab olema enne „Kuni“.',
  refresh: 'Värskenda',
  updatedAt: 'Seisuga {time}',
  updatesStopped: 'See pikk loend ei värskene enam automaatselt. Uuemate kirjete nägemiseks vajutage „Värskenda“.',
  download: 'Laadi alla CSV',
  noneAtAll: 'Auditikirjeid veel pole',
  noneAtAllHint: 'Kirje ilmub, kui tarbimiskaja, tipukoormuse piiramine või ajakava muudab selle objekti andmepunkti.',
  noneMatch: 'Ükski auditikirje ei vasta filtritele',
  noneMatchHint: 'Kasutage vähem filtreid või pikemat ajavahemikku.',
  shown: '{count, plural, one {# kirje} other {# kirjet}}',
  shownOfMore: '{count, plural, one {Uusim kirje} other {Uusimad # kirjet}}',
  notCommissioned: '{id} (pole enam seadistatud)',
  removedDevice: '{id} (eemaldatud)',
  namesFailed: 'Mõne andmepunkti nime ei õnnestunud laadida',
  ids: 'ID-d',
  overrideId: 'Ülekirjutus',
  requestId: 'Päring',
  datapointId: 'Andmepunkt',
  entryId: 'Kirje',
}

export const codes: Translation<typeof english.codes> = {
  4000: '4000 Tipukoormuse piiramine',
  4001: '4001 Pilve ajakava',
  4005: '4005 Tarbimiskaja',
}

export const titles: Translation<typeof english.titles> = {
  4000: 'Muudatus: tipukoormuse piiramine',
  4001: 'Muudatus: pilve ajakava',
  4005: 'Muudatus: tarbimiskaja',
}

export const phases: Translation<typeof english.phases> = {
  applied: 'Rakendatud',
  released: 'Vabastatud',
  'write-failed': 'Kirjutamine ebaõnnestus',
  'not-taken': 'Seade ei võtnud vastu',
  limited: 'Andmepunkti piirid muutsid väärtust',
  interval: 'Võimsuspiiri intervall',
  tested: 'Katsetatud',
}

export const began: Translation<typeof english.began> = {
  4000: 'Arvesti oli üle piiri',
  4001: 'Ajakava ajavahemik algas',
  4005: 'Ülekirjutus algas',
}

export const over: Translation<typeof english.over> = {
  4000: 'Koormus taastati',
  4001: 'Ajakava ajavahemik lõppes',
  4005: 'Ülekirjutus lõppes',
}

export const reasons: Translation<typeof english.reasons> = {
  window: 'Ülekirjutus algas',
  cancelled: 'Ülekirjutus katkestati',
  cancelledBefore: 'Ülekirjutus katkestati enne, kui see kehtima hakkas',
  outranked: 'Ülekirjutus lõppes ajal, mil kehtis hilisem',
  superseded: 'Keegi teine võttis üle',
  restart: 'Ülekirjutus lõppes ajal, mil kontroller ei töötanud',
  replaced: 'Uus kontroller võttis ülekirjutuse eelmiselt üle',
  differs: 'Seade ei näita ei seadeväärtust ega varasemat väärtust',
  'restored-by-hand': 'Inimene taastas seadme käsitsi ja lõpetas hoidmise',
  abandoned: 'Inimene lõpetas hoidmise seadet taastamata',
  limited: 'Andmepunkti piirid muutsid kirjutatavat väärtust',
  whileHeld: 'Ajal, mil andmepunkti hoiti sellel väärtusel',
  whileReleasing: 'Andmepunkti vabastamise ajal: seadmel võib endiselt olla teine väärtus',
}

export const callers: Translation<typeof english.callers> = {
  placed: {
    by: 'Määras {name}',
    byBecause: 'Määras {name}: {reason}',
    because: 'Määratud: {reason}',
  },
  cancelled: {
    by: 'Katkestas {name}',
    byBecause: 'Katkestas {name}: {reason}',
    because: 'Katkestatud: {reason}',
  },
  closed: {
    by: 'Lõpetas {name}',
    byBecause: 'Lõpetas {name}: {reason}',
    because: 'Lõpetatud: {reason}',
  },
}

export const sources: Translation<typeof english.sources> = {
  outranks: {
    alone: 'Seadme prioriteet {priority} on sellest kontrollerist kõrgem',
    withValue: 'Seadme prioriteet {priority} hoiab väärtust {value} ja on sellest kontrollerist kõrgem',
  },
  follows: {
    alone: 'Seade järgib nüüd prioriteeti {priority}',
    withValue: 'Seade järgib nüüd prioriteeti {priority} väärtusega {value}',
  },
}

export const changes: Translation<typeof english.changes> = {
  notKnown: 'teadmata',
  applied: '{before} → {value}',
  backTo: 'Tagasi väärtusele {value}',
  givenOn: 'Nüüd {value} ({before} enne seda hoidmist)',
  nothingWritten: 'Midagi ei kirjutatud',
  wanted: 'Soovitud: {value} ({before} enne seda hoidmist)',
  readBack: 'Tagasi loetud: {value}',
  wrote: 'Kirjutatud: {value}',
  byHand: 'Käsitsi taastatud',
  abandoned: 'Jäeti nii, nagu on',
  lastRead: 'Viimati loetud: {value}',
}
