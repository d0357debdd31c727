import type * as english from '../providers.ts'
import type { Translation } from '../translation.ts'

export const providers: Translation<typeof english.providers> = {
  or: 'või',
  signIn: 'Logi sisse: {name}',
  accept: 'Võta vastu: {name}',
  failedTitle: 'Te pole sisse logitud',
  acceptFailed: 'Te pole kutset vastu võtnud',
  problems: {
    unreachable: '{name} ei vasta. Proovige mõne minuti pärast uuesti või logige sisse parooliga.',
    failed:
      'Sisselogimine teenuse {name} kaudu ebaõnnestus. Proovige uuesti. Kui see ikka ei õnnestu, pöörduge teenusepakkuja poole. Põhjus on tema logis.',
    clock: 'Teenuse {name} ja selle teenuse kellad erinevad liiga palju. Paluge teenusepakkujal aeg õigeks panna.',
    denied:
      'Te loobusite või {name} ei anna teile sellele teenusele ligipääsu. Proovige uuesti või küsige selle administraatorilt.',
    expired:
      'Sisselogimine kestis üle 10 minuti, seda oli juba kasutatud või algas see teises brauseris. Alustage siin uuesti.',
    'not-linked':
      'Teie konto teenuses {name} pole siinse kontoga seotud. Kui teil on parool, logige sellega sisse ja siduge {name} oma konto lehel. Kui teid on kutsutud, avage kutse ja võtke see vastu teenusega {name}.',
    taken:
      'See teenuse {name} konto on seotud teise siinse kontoga. Logige teenusest {name} välja ja seejärel seal oma kontoga sisse.',
    'already-linked': 'Olete seotud teise kontoga teenuses {name}. Eemaldage enne see seos.',
    'invitation-over':
      'See kutse on juba kasutatud, tagasi võetud või aegunud. Küsige uus kutse administraatorilt, kes teid kutsus.',
    'other-invitation':
      'Olete sisse logitud, kuid kutse on mõeldud teisele kontole, on juba kasutatud või aegunud. Küsige uus kutse administraatorilt, kes teid kutsus.',
    changed: 'Teie konto või seanss muutus vahepeal. Logige uuesti sisse ja korrake.',
    'too-many':
      'Teie võrgust on ebaõnnestunud liiga palju sisselogimisi. Proovige 15 minuti pärast uuesti või logige sisse parooliga.',
  },
  methods: {
    title: 'Sisselogimise viisid',
    noPassword:
      'Teil pole parooli, seega ei saa te teenuse {name} seost eemaldada. Parooli määramiseks logige välja ja lähtestage parool või küsige link oma organisatsiooni administraatorilt. See eemaldab teenuse {name} seose.',
    linkedAs: '{name} on seotud kontoga {account} alates {time}.',
    linked: '{name} on seotud alates {time}.',
    notLinked: '{name} pole seotud. Siduge see, et ilma paroolita sisse logida.',
    link: 'Seo {name}',
    unlink: 'Eemalda seos: {name}',
    unlinkHint: 'Seose eemaldamine logib välja ka kõik muud brauserid, kus logiti sisse teenusega {name}.',
    failedTitle: 'Midagi ei muudetud',
  },
}
