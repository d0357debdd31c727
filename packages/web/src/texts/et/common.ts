import type * as english from '../common.ts'
import type { Translation } from '../translation.ts'

export const common: Translation<typeof english.common> = {
  product: 'Plantroom',
  pageTitle: '{page} · {product}',
  loading: 'Laadimine…',
  tryAgain: 'Proovi uuesti',
  cancel: 'Loobu',
  save: 'Salvesta',
  close: 'Sulge',
  showPassword: 'Näita parooli',
  copy: 'Kopeeri',
  copied: 'Kopeeritud',
  more: 'Näita rohkem',
  none: '–',
  nothingFound: 'Vastet pole',
  clear: 'Tühjenda: {what}',
  fact: '{name}: {value}',
  online: 'Ühenduses',
  offline: 'Ühenduseta',
  broken: 'Seda lehte ei saanud kuvada',
  brokenHint: 'Laadige leht uuesti. Kui see ei aita, pöörduge teenusepakkuja poole.',
  loadAgain: 'Laadi leht uuesti',
  notFound: 'Lehte ei leitud',
  notFoundHint: 'Aadress võib olla valesti kirjutatud või lehte enam pole.',
  backToStart: 'Avalehele',
  noAccess: 'Teil pole sellele objektile ligipääsu',
  noAccessHint: 'Paluge organisatsiooni administraatoril anda teile sellel objektil roll.',
  requestsOff: 'Hooldustaotlused on sellel objektil välja lülitatud',
  requestsOffHint: 'Administraator saab need sisse lülitada: Seaded, Objekt.',
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
  alerts: 'Häired',
  reports: 'Auditilogi',
  requests: 'Hooldustaotlused',
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
}

export const roles: Translation<typeof english.roles> = {
  viewer: 'Vaataja',
  manager: 'Haldur',
  admin: 'Administraator',
}
