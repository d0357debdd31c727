import type * as english from '../sign-in.ts'
import type { Translation } from '../translation.ts'

export const signIn: Translation<typeof english.signIn> = {
  title: 'Logi sisse',
  email: 'E-posti aadress',
  password: 'Parool',
  submit: 'Logi sisse',
  failed: 'Te pole sisse logitud',
  ended: 'Teie seanss on lõppenud',
  endedHint: 'See aegus, logiti välja mujalt või lõppes parooli vahetamisel. Sellele lehele naasmiseks logige sisse.',
  forgot: 'Unustasite parooli?',
  lost: 'Kaotasite parooli? Küsige uus link oma organisatsiooni administraatorilt.',
  insecure: 'Sellel aadressil ei saa sisse logida',
  insecureHint:
    'Leht avati ilma HTTPS-ita, seega ei saa brauser teid sisselogituna hoida. Avage selle https://-aadress või samas masinas http://localhost.',
}

export const setUp: Translation<typeof english.setUp> = {
  title: 'Plantroomi seadistamine',
  lead: 'Looge oma organisatsioon, selle esimene objekt ja oma administraatori konto. Hiljem saate neid lisada.',
  token: 'Seadistuse pääsmik',
  tokenHint:
    'Pilv kirjutab selle lehe aadressi koos pääsmikuga igal käivitusel logisse, kuni seadistamine on lõpetatud.',
  organization: 'Organisatsioon',
  site: 'Esimene objekt',
  siteHint: 'Hoone või kinnistu tavapärane nimi.',
  timeZone: 'Objekti ajavöönd',
  timeZoneHint: 'Objekti ajakavad ja piirid kasutavad seda ajavööndit.',
  you: 'Teie konto',
  email: 'Teie e-posti aadress',
  submit: 'Seadista ja logi sisse',
  failed: 'Seadistamine ebaõnnestus',
  done: 'Plantroom on juba seadistatud',
  doneHint: 'Logige sisse seadistamisel valitud e-posti aadressi ja parooliga.',
  toSignIn: 'Sisselogimise juurde',
}

export const welcome: Translation<typeof english.welcome> = {
  title: 'Tere tulemast',
  lead: '{organization} kutsub teid. Valige parool kontole {email}. Edaspidi logite sisse mõlemaga.',
  passwordTitle: 'Määrake uus parool',
  passwordLead: 'Valige uus parool kontole {email}. Kõik teie seansid lõpevad.',
  email: 'E-posti aadress',
  submit: 'Määra parool ja logi sisse',
  failed: 'Parooli ei määratud',
  over: 'See link enam ei kehti',
  overHint:
    'Seda on juba kasutatud, see on aegunud või lõppes, sest teie konto muutus. Küsige uus link administraatorilt, kes teid kutsus.',
  missing: 'See link on poolik',
  missingHint: 'Avage see uuesti saadud kirjast või kopeerige kogu link koos osaga pärast märki #.',
  toSignIn: 'Sisselogimise juurde',
}

export const join: Translation<typeof english.join> = {
  title: 'Liitu: {organization}',
  lead: '{organization} kutsub kontot {email}. Teie konto ja teised organisatsioonid ei muutu.',
  otherAccount: 'Olete sisse logitud kontoga {current}. Vastuvõtmiseks logige sisse kontoga {email}.',
  email: 'E-posti aadress',
  password: 'Parool',
  submit: 'Liitu',
  failed: 'Te pole liitunud',
}

export const resetPassword: Translation<typeof english.resetPassword> = {
  title: 'Parooli lähtestamine',
  email: 'E-posti aadress',
  hint: 'Saadame sellele aadressile lingi. See kehtib ühe korra, tunni jooksul.',
  submit: 'Saada link',
  sent: 'Kui selle aadressiga konto on olemas, on link teel. Vaadake oma e-posti.',
  failed: 'Linki ei saadetud',
  noMail: 'See teenus ei saada e-kirju. Küsige uus link oma organisatsiooni administraatorilt.',
  toSignIn: 'Sisselogimise juurde',
}

export const passwords: Translation<typeof english.passwords> = {
  new: 'Uus parool',
  hint: 'Vähemalt {least} märki. Mitut sõna on kergem meeles pidada kui sümboleid.',
  again: 'Korrake uut parooli',
  tooShort: 'Paroolis peab olema vähemalt {least} märki. Selles on {now}.',
  different: 'Paroolid ei ühti.',
}
