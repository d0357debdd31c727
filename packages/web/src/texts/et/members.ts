import type * as english from '../members.ts'
import type { Translation } from '../translation.ts'

export const members: Translation<typeof english.members> = {
  title: 'Liikmed',
  intro: 'Inimesed, kes saavad sisse logida, ja nende rollid.',
  forAdmins: 'Liikmeid saavad hallata ainult organisatsiooni administraatorid.',
  label: 'Selle organisatsiooni liikmed',
  email: 'E-posti aadress',
  you: '{email} (teie)',
  roles: 'Rollid',
  lastSeen: 'Viimati nähtud',
  actions: 'Toimingud',
  never: 'Mitte kunagi',
  invited: 'Kutsutud, pole veel vastu võtnud',
  admin: 'Organisatsiooni administraator',
  none: 'Rolli pole',
  on: {
    manager: {
      all: 'Kõigi objektide haldur',
      tags: 'Haldur kõigil objektidel sildiga {tags}',
      sites: 'Haldur: {sites}',
    },
    viewer: {
      all: 'Kõigi objektide vaataja',
      tags: 'Vaataja kõigil objektidel sildiga {tags}',
      sites: 'Vaataja: {sites}',
    },
  },
  more: '{names} ja veel {count}',
  goneSite: 'eemaldatud objekt',

  invite: {
    open: 'Kutsu liige',
    title: 'Kutsu liige',
    submit: 'Kutsu',
    email: 'E-posti aadress',
    badEmail: 'Sisestage e-posti aadress, näiteks mari@example.ee.',
  },

  form: {
    what: 'Roll',
    admin: 'Administraator: täielik ligipääs kõigile objektidele, API-võtmetele ja liikmetele',
    perSite: 'Objektide kaupa',
    onAll: 'Kõigil objektidel',
    onAllHint: 'Ka objektidel, mis lisatakse hiljem.',
    onTags: { manager: 'Haldur kõigil objektidel sildiga', viewer: 'Vaataja kõigil objektidel sildiga' },
    onTagsHint: 'Ka objektidel, mis saavad sildi hiljem; sildi kaotanud objektidel enam mitte.',
    onSites: { manager: 'Haldur nendel objektidel', viewer: 'Vaataja nendel objektidel' },
    noRole: 'Ligipääsu pole',
    viewer: 'Vaataja: saab kõike vaadata',
    manager: 'Haldur: saab ka üle kirjutada ja taotlusi muuta',
    noSite: 'Valige roll kõigil objektidel, sildi järgi või vähemalt ühel objektil.',
    changeTitle: 'Rollid: {email}',
    saved: 'Rollid on muudetud: {email}',
    changedSince: 'Rolle on vahepeal uuesti muudetud.',
    yourself: 'Need on teie enda rollid. Ilma administraatori rollita kaotate ligipääsu sellele lehele.',
  },

  link: {
    title: 'Kutse link: {email}',
    hint: 'Saatke see link talle privaatselt. See kehtib ühe korra, 7 päeva jooksul. Rohkem te seda ei näe.',
    label: 'Link',
    mailed: 'Saatsime lingi aadressile {email}. See kehtib ühe korra, 7 päeva jooksul.',
    done: 'Olen selle kopeerinud',
  },

  security: {
    title: 'Turvalisus',
    require: 'Nõua teist tegurit',
    requireHint:
      'Liikmed ilma teise tegurita näevad ainult oma konto lehte, kuni nad selle seadistavad. API-võtmeid see ei mõjuta. Teil endal peab olema teine tegur.',
    failed: 'Seadet ei muudetud',
  },
  measurements: {
    title: 'Mõõteandmed',
    days: 'Mitu päeva mõõteandmeid säilitada',
    daysHint:
      'Tühjaks jättes säilitatakse need tähtajatult. Vanemad kustutatakse tunni jooksul ja neid ei saa taastada.',
    save: 'Salvesta',
    saved: 'Salvestatud',
    failed: 'Seadet ei muudetud',
  },
  resetFactors: {
    button: 'Lähtesta tegurid',
    label: 'Lähtesta tegurid: {email}',
    title: 'Kas eemaldada kõik teised tegurid: {email}?',
    consequence:
      'Tehke seda ainult siis, kui olete veendunud, kes seda palub. Ta logitakse välja ja saab sisse logida ainult parooliga. Kui teenus saadab e-kirju, teavitatakse teda.',
    action: 'Eemalda tegurid',
    done: 'Teised tegurid on eemaldatud: {email}',
  },

  change: 'Muuda rolle',
  changeLabel: 'Muuda rolle: {email}',
  renew: {
    button: 'Uus link',
    label: 'Uus link: {email}',
    title: 'Kas luua uus link: {email}?',
    consequence:
      'Kutsutu saab lingiga kutse vastu võtta. Liige saab sellega määrata uue parooli; seni kehtib praegune. Varasemad lingid enam ei kehti.',
    action: 'Loo link',
  },
  remove: {
    button: 'Eemalda',
    label: 'Eemalda {email}',
    title: 'Kas eemaldada {email}?',
    consequence:
      'Ta logitakse kohe välja ja kaotab ligipääsu sellele organisatsioonile. Auditilogi säilitab, mida ta tegi.',
    yourself: 'See on teie enda konto: teid logitakse välja.',
    action: 'Eemalda liige',
    done: '{email} on eemaldatud',
  },
}
