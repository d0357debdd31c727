import type * as english from '../keys.ts'
import type { Translation } from '../translation.ts'

export const keys: Translation<typeof english.keys> = {
  title: 'API-võtmed',
  intro: 'Programmid loevad ja juhivad seda organisatsiooni API-võtmetega. Võtmel on ainult selle õigused ja objektid.',
  forAdmins: 'API-võtmeid saavad hallata ainult organisatsiooni administraatorid.',
  label: 'Selle organisatsiooni API-võtmed',
  name: 'Nimi',
  permissions: 'Õigused',
  sites: 'Objektid',
  created: 'Loodud',
  lastUsed: 'Viimati kasutatud',
  state: 'Olek',
  actions: 'Toimingud',
  allSites: 'Kõik objektid',
  noSites: 'Objekte pole',
  goneSite: 'eemaldatud objekt',
  never: 'Mitte kunagi',
  usedFrom: '{time} aadressilt {address}',
  active: 'Kehtiv',
  expires: 'Aegub {time}',
  expired: 'Aegus {time}',
  revoked: 'Tühistatud {time}',
  overlap: 'Eelmine salavõti kehtib kuni {time}',
  overrides: '{count, plural, one {# ülekirjutus pole lõppenud} other {# ülekirjutust pole lõppenud}}',
  pending:
    '{count, plural, one {# kontroller peab selle ülekirjutused veel katkestama} other {# kontrollerit peab selle ülekirjutused veel katkestama}}',
  empty: 'API-võtmeid veel pole',
  emptyHint: 'Looge võti igale programmile, mis Plantroomi kasutab.',

  permission: {
    'edge-device:read_write': 'Servaseadmete lugemine ja kirjutamine',
    'measurement:read': 'Mõõteandmete lugemine',
    'ticket:read': 'Hooldustaotluste lugemine',
    'ticket:read_write': 'Hooldustaotluste lugemine ja kirjutamine',
  },
  permissionHint: {
    'edge-device:read_write':
      'Andmepunktide eksport, praeguste ja arhiveeritud väärtuste lugemine, ülekirjutamine ja ülekirjutuste katkestamine',
    'measurement:read': 'Arhiveeritud väärtuste ja auditikirjete lugemine. Käskudeta ja praeguste väärtusteta',
    'ticket:read': 'Taotluste, eksportide ja tööde lugemine',
    'ticket:read_write': 'Lisaks pakettide import, taotluste kommenteerimine ja muutmine',
  },

  create: {
    open: 'Loo võti',
    title: 'Loo API-võti',
    name: 'Nimi',
    nameHint: 'Programm või partner, kes võtit kasutab, näiteks „Reguleerimisturg“',
    permissions: 'Õigused',
    sites: 'Objektid',
    all: 'Kõik objektid, ka tulevased',
    some: 'Ainult need objektid',
    which: 'Objektid',
    expiry: 'Aegub (valikuline)',
    expiryHint: 'Võti kehtib selle ajani ({zone}). Ilma selleta kehtib see, kuni te selle tühistate.',
    submit: 'Loo võti',
    noName: 'Sisestage võtme nimi.',
    noPermission: 'Valige vähemalt üks õigus.',
    noSite: 'Valige vähemalt üks objekt.',
    pastExpiry: 'Sisestage aeg tulevikus.',
  },

  secret: {
    title: 'API-võti „{name}“',
    warning: 'Kopeerige võti kohe. Rohkem te seda ei näe.',
    label: 'API-võti',
    curl: 'Käsk proovimiseks',
    done: 'Olen selle kopeerinud',
  },

  rotate: {
    button: 'Uuenda',
    label: 'Uuenda {name}',
    title: 'Kas uuendada {name}?',
    consequence: 'Võti saab uue salavõtme; selle ID, õigused ja ülekirjutused jäävad.',
    action: 'Uuenda võti',
  },

  revoke: {
    button: 'Tühista',
    label: 'Tühista {name}',
    title: 'Kas tühistada {name}?',
    consequence: 'Seda võtit kasutavad programmid lükatakse kohe tagasi. Seda ei saa tagasi võtta.',
    cancel: 'Katkesta ka kõik selle võtmega määratud ülekirjutused',
    cancelHint: 'Ühenduseta kontrollerid katkestavad need kohe, kui ühendus taastub.',
    noneStanding: 'Ühtegi selle võtme kehtivat ega ootel ülekirjutust pole teada.',
    standing:
      '{count, plural, one {# selle võtme ülekirjutus kehtib või on ootel. Kui te seda siin ei katkesta, jääb see kuni oma lõpuni.} other {# selle võtme ülekirjutust kehtib või on ootel. Kui te neid siin ei katkesta, jäävad need kuni oma lõpuni.}}',
    action: 'Tühista võti',
    done: '{name} on tühistatud',
    released:
      '{count, plural, one {{name} on tühistatud ja # ülekirjutus katkestatud} other {{name} on tühistatud ja # ülekirjutust katkestatud}}',
    pendingTitle: '{name} on tühistatud',
    cancelled: '{count, plural, one {# ülekirjutus katkestati.} other {# ülekirjutust katkestati.}}',
    pending:
      'Need kontrollerid on ühenduseta või ei vastanud. Nad katkestavad ülekirjutused kohe, kui ühendus taastub.',
    close: 'Sulge',
  },
}
