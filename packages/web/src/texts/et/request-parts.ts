import type * as english from '../request-parts.ts'
import type { Translation } from '../translation.ts'

export const files: Translation<typeof english.files> = {
  add: 'Lisa faile',
  photo: 'Tee foto',
  dropNow: 'Lohistage failid siia',
  hint: 'Võite failid ka siia lohistada või kleepida. Kuni 20 faili, igaüks kuni 100 MB.',
  chosen: 'Valitud failid',
  waiting: 'Ootab',
  sending: 'Üles laaditud {percent} % ({size})',
  done: 'Üles laaditud, {size}',
  failed: 'Üles laadimata: {reason}',
  retry: 'Laadi uuesti üles: {name}',
  retryShort: 'Proovi uuesti',
  remove: 'Eemalda {name}',
  removeShort: 'Eemalda',
  cancel: 'Katkesta üleslaadimine: {name}',
  cancelShort: 'Katkesta',
  tooMany: 'Taotlusel või kommentaaril võib olla kuni 20 faili. {name} ja järgmised jäid välja.',
  tooLarge: 'Faili {name} suurus on {size}. Fail võib olla kuni 100 MB.',
  wait: 'Saate saata, kui kõik failid on üles laaditud.',
  unfinished: 'Mõni fail jäi üles laadimata. Proovige uuesti või eemaldage need.',
  pictures: 'Fotod',
  open: 'Näita: {name}',
  noPreview: 'Siin ei näidata: see pole foto või on liiga suur.',
  sizeAndType: '{size}, {type}',
}

export const viewer: Translation<typeof english.viewer> = {
  place: '{place} / {count}',
  previous: 'Eelmine foto',
  next: 'Järgmine foto',
  zoomIn: 'Suurenda',
  zoomOut: 'Vähenda',
  fit: '{percent} %, mahuta ekraanile',
  zoom: '{percent} %',
  download: 'Laadi alla',
  failed: 'Seda faili ei saa näidata. Avamiseks laadige see alla.',
}

export const history: Translation<typeof english.history> = {
  created: '{who} lõi taotluse',
  imported: '{who} importis taotluse',
  set: '{who} määras: {field} {to}',
  removed: '{who} eemaldas: {field} ({from})',
  changed: '{who} muutis: {field} {from} → {to}',
  changedText: '{who} muutis: {field}',
  filled: '{who} täitis paketist: {field}',
  line: '{what} · {time}',
  showFolded: '{count, plural, one {Näita # varasemat muudatust} other {Näita # varasemat muudatust}}',
  show: 'Näita muudatust',
  hide: 'Peida muudatus',
  before: 'Enne',
  after: 'Pärast',
  nothing: 'Tühi',
  value: '„{text}“',
  key: 'API-võti „{name}“',
  operator: 'Teenusepakkuja',
  someone: 'Keegi',
  removedPerson: 'eemaldatud isik',
  yes: 'jah',
  no: 'ei',
  older: 'Näidatakse 500 uusimat muudatust. API loetleb need kõik.',
  failed: 'Selle taotluse muudatusi ei õnnestunud laadida',
}

export const editing: Translation<typeof english.editing> = {
  edit: 'Muuda',
  print: 'Prindi',
  title: 'Muuda taotlust #{number}',
  notesHint: 'Neid näevad ainult sisselogijad. Neid ei saadeta kunagi e-kirjaga.',
  longText: 'Tekstis võib olla kuni 50 000 märki. Siin on {characters}.',
  tooLongToEdit: 'See tekst on imporditud ja siin muutmiseks liiga pikk.',
  saved: 'Muudatused salvestatud',
  conflict: 'Keegi teine muutis seda taotlust samal ajal',
  conflictHint: 'Teie tekst on alles ja midagi pole veel salvestatud. Võrrelge allpool ja salvestage uuesti.',
  theirs: '{field} on nüüd:',
  theirsBy: '{field} on nüüd ({who} muutis):',
  useTheirs: 'Kasuta seda teksti',
  keepMine: 'Uuesti salvestamine asendab selle teie tekstiga.',
  emptied: 'Tühi',
}

export const mentions: Translation<typeof english.mentions> = {
  hint: 'Selle objekti töötaja mainimiseks kirjutage @. Talle saadetakse e-kiri.',
  choices: 'Mainitavad inimesed',
  you: 'Mainib teid',
  choice: '{name} ({email})',
}

export const noMail: Translation<typeof english.noMail> = {
  willNotBeSent: 'Kommentaari ei saadeta aadressile {email}: e-posti server on seadistamata.',
  notSent: 'Teie kommentaar on lisatud. Aadressile {email} seda ei saadetud: e-posti server on seadistamata.',
  remedy:
    'Teenusepakkuja määrab SMTP_URL-i ja taaskäivitab teenuse. Kiri ootab väljuvate kirjade hulgas ja saadetakse siis.',
}
