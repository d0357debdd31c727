import type * as english from '../common.ts'
import type { Translation } from '../translation.ts'

export const common: Translation<typeof english.common> = {
  product: 'Plantroom',
  pageTitle: '{before} – {part}',
  alertTitle: '({alerts}) {title}',
  asOf: 'Seis {time}. Laadimine…',
  silent: 'Plantroom ei vasta. Leht proovib edasi.',
  loading: 'Laadimine…',
  tryAgain: 'Proovi uuesti',
  cancel: 'Loobu',
  save: 'Salvesta',
  close: 'Sulge',
  showPassword: 'Näita parooli',
  copy: 'Kopeeri',
  copied: 'Kopeeritud',
  copyFailed: 'Kopeerimata: märgistage tekst',
  more: 'Näita rohkem',
  none: '–',
  nothingFound: 'Vastet pole',
  clear: 'Tühjenda: {what}',
  fact: '{name}: {value}',
  within: '{inner}, {outer}',
  online: 'Ühenduses',
  offline: 'Ühenduseta',
  unknown: 'Teadmata',
  noAnswerYet: 'Vastust veel pole',
  broken: 'Seda lehte ei saanud kuvada',
  brokenHint: 'Laadige leht uuesti. Kui see ei aita, pöörduge teenusepakkuja poole.',
  loadAgain: 'Laadi leht uuesti',
  notFound: 'Lehte ei leitud',
  notFoundHint: 'Aadress võib olla valesti kirjutatud või lehte enam pole.',
  backToStart: 'Avalehele',
  noAccess: 'Teil pole sellele objektile ligipääsu',
  noOrganization: 'Teil pole sellele organisatsioonile ligipääsu',
  noAccessHint: 'Paluge organisatsiooni administraatoril anda teile roll.',
  requestsOff: 'Hooldustaotlused on sellel objektil välja lülitatud',
  requestsOffHint: 'Administraator saab need sisse lülitada: Seaded, Objekt.',
  requestsOffAdmin: 'Saate need sisse lülitada: {page}.',
  siteSettings: 'Seaded, Objekt',
}

export const overlap: Translation<typeof english.overlap> = {
  label: 'Vana salavõti',
  choices: {
    none: 'Lõpetab kohe kehtimise',
    hour: 'Kehtib veel tunni',
    day: 'Kehtib veel päeva',
    week: 'Kehtib veel nädala',
  },
}

export const undo: Translation<typeof english.undo> = {
  action: 'Võta tagasi',
  failed: 'Seda ei võetud tagasi.',
}

export const shownOnce: Translation<typeof english.shownOnce> = {
  question: 'Kas olete selle talletanud?',
  consequence: 'Seda ei kopeeritud. Kui sulgete selle akna, ei saa keegi seda enam näidata.',
  keep: 'Jäta avatuks',
  discard: 'Sulge ikkagi',
}

export const errors: Translation<typeof english.errors> = {
  title: 'Midagi läks valesti',
  fromService: 'Plantroom teatab inglise keeles: „{message}“',
  unreachable: 'Plantroom pole kättesaadav. Kontrollige ühendust ja proovige uuesti.',
  byCode: {
    DEVICE_OFFLINE: 'Kontroller ei vastanud. See võib olla ühenduseta või hõivatud. Proovige varsti uuesti.',
    RECENT_SIGN_IN_REQUIRED: 'Te ei kinnitanud oma isikut, seega midagi ei muudetud. Proovige uuesti.',
    INTERNAL: 'Plantroomis tekkis sisemine viga. Proovige uuesti. Kui see kordub, pöörduge teenusepakkuja poole.',
    TIMEOUT: 'Päring ei jõudnud õigel ajal kohale. Kontrollige ühendust ja proovige uuesti.',
    UNKNOWN: 'Plantroom vastas ootamatult. Proovige uuesti. Kui see kordub, pöörduge teenusepakkuja poole.',
  },
}

export const navigation: Translation<typeof english.navigation> = {
  label: 'Peamenüü',
  skip: 'Liigu sisu juurde',
  menu: 'Menüü',
  overview: 'Ülevaade',
  search: 'Otsi või ava…',
  searchKey: '{control} K',
  dispatches: 'Koondkäsud',
  openadr: 'OpenADR',
  alerts: 'Häired',
  charts: 'Graafikud',
  calendar: 'Kalender',
  schedules: 'Ajakavad ja piirid',
  reports: 'Auditilogi',
  requests: 'Hooldustaotlused',
  organization: 'Organisatsioon',
  siteGroup: 'Objekt',
  openCount: 'avatud: {count}',
  settings: 'Seaded',
  packages: 'Import / eksport',
  site: 'Objekt',
  people: 'Üksused ja isikud',
  systems: 'Tehnosüsteemid',
  outbox: 'Väljuvad kirjad',
  keys: 'API-võtmed',
  members: 'Liikmed',
  alertSettings: 'Häired ja veebihaagid',
  activity: 'Tegevused',
  sites: 'Kõik objektid',
  account: 'Konto',
  accountOf: 'Konto: {email}',
  signOut: 'Logi välja',
  light: 'Heledad värvid',
  dark: 'Tumedad värvid',
  reference: 'API teatmik',
  help: 'Abi',
}

export const roles: Translation<typeof english.roles> = {
  viewer: 'Vaataja',
  manager: 'Haldur',
  admin: 'Administraator',
}
