import type * as english from '../systems.ts'
import type { Translation } from '../translation.ts'

export const systems: Translation<typeof english.systems> = {
  title: 'Tehnosüsteemid',
  intro: 'Igal kontrolleril seadistatud ühendused, andmepunktid, ajakavad, tipukoormuse piiramine ja võimsuspiirid.',
  forAdmins: 'Kontrollereid saavad lisada ja seadistusfaile laadida ainult administraatorid.',
  noDevices: 'Sellel objektil pole veel kontrollereid',
  noDevicesHint: 'Administraator saab kontrolleri lisada ja käivitada seadetega, mida siis näidatakse.',
  noDevicesAdmin: 'Lisage kontroller. Saate käsu, mis selle hoones käivitab.',
  nothing: 'Sellel kontrolleril pole veel midagi seadistatud.',
  toDevice: 'Vaata väärtusi',
  toSchedules: 'Ajakavad ja piirid',
  versions: 'Versioonid',
  versionsLabel: 'Versioonid: {device}',

  connectionsLabel: 'Ühendused: {system}',
  connection: 'Ühendus',
  protocol: 'Protokoll',
  datapoints: 'Andmepunktid',
  points:
    '{count, plural, one {# andmepunkt, kirjutatavaid {writable}} other {# andmepunkti, kirjutatavaid {writable}}}',
  pointsReadOnly: '{count, plural, one {# andmepunkt, ainult loetav} other {# andmepunkti, ainult loetavad}}',

  schedule:
    '{count, plural, one {Ajakava „{name}“ juhib: {datapoint} (# ajavahemik)} other {Ajakava „{name}“ juhib: {datapoint} (# ajavahemikku)}}',
  peak: {
    fixed: 'Tipukoormuse piiramine hoiab arvestit {meter} alla {limit} kW, vähendades koormusi: {loads}',
    hourly:
      'Tipukoormuse piiramine hoiab arvestit {meter} alla tunnipiiride {least} kuni {most} kW, vähendades koormusi: {loads}',
    none: 'Tipukoormuse piiramisel pole arvestile {meter} piiri, seega ei vähenda see veel koormusi: {loads}',
  },
  peakWithoutLoads: {
    fixed: 'Tipukoormuse piiramine jälgib arvestit {meter} (piir {limit} kW), kuid vähendatavaid koormusi pole',
    hourly:
      'Tipukoormuse piiramine jälgib arvestit {meter} (tunnipiirid {least} kuni {most} kW), kuid vähendatavaid koormusi pole',
    none: 'Tipukoormuse piiramine jälgib arvestit {meter}, kuid piiri ega vähendatavaid koormusi pole',
  },
  powerLimit: 'Arvesti {meter} võimsuspiirid võivad muuta koormusi: {loads}',
  powerLimitByContacts:
    'Arvesti {meter} võimsuspiirid võivad muuta koormusi: {loads}; piirata võivad ka kontaktid: {inputs}',
  unknownPoint: 'andmepunkt, mis pole enam seadistatud',

  download: 'Laadi fail alla',
  downloadLabel: 'Laadi alla fail: {system}',

  load: {
    open: 'Laadi fail',
    openLabel: 'Laadi fail kontrollerile {device}',
    title: 'Seadistusfaili laadimine kontrollerile {device}',
    hint: 'JSON- või YAML-fail ühe tehnosüsteemiga. Enne laadimist näete kõiki vigu või seda, mis muutub.',
    choose: 'Vali fail',
    input: 'Seadistusfail',
    another: 'Vali teine fail',
    submit: 'Laadi fail',
    remove: 'Eemalda tehnosüsteem',
    done: '{system} on laaditud',
    warnings: '{count, plural, one {Fail on laaditud # hoiatusega} other {Fail on laaditud # hoiatusega}}',
    gone: '{system} on kontrollerilt eemaldatud',
    offlineNow: 'Kontroller on ühenduseta. Faili saab laadida, kui ühendus on taastunud.',
    tooLarge: 'Seadistusfail võib olla kuni 3 MB.',
    notAnObject: 'Fail peab olema objekt väljadega technicalSystem ja connections.',
    syntax: 'Fail pole JSON ega YAML. Midagi ei muutunud.',
    unreadable: 'Brauser ei saanud faili lugeda.',
  },

  device: {
    add: 'Lisa kontroller',
    addTitle: 'Lisa kontroller',
    name: 'Nimi',
    nameHint: 'Näiteks ruum, kuhu kontroller on paigaldatud',
    noName: 'Sisestage kontrolleri nimi.',
    submit: 'Lisa kontroller',
    renew: 'Uus salavõti',
    renewLabel: 'Uus salavõti: {name}',
    renewTitle: 'Kas luua uus salavõti: {name}?',
    renewConsequence:
      'Vana salavõti lõpetab kohe kehtimise. Kontroller jääb ühenduseta, kuni taaskäivitate selle uue salavõtmega. Kehtivad ülekirjutused jätkuvad seni.',
    renewAction: 'Loo salavõti',
    remove: 'Eemalda',
    removeLabel: 'Eemalda {name}',
    removeTitle: 'Kas eemaldada {name}?',
    removeConsequence:
      'Kontroller ühendatakse kohe lahti ega saa enam ühendust. Plantroom unustab, mis sellel on seadistatud, kuid säilitab selle auditikirjed. Seadmed jäävad nii, nagu on, seega vabastage enne kehtivad ülekirjutused.',
    removeAction: 'Eemalda kontroller',
    removeHolding:
      'Kontroller hoiab veel andmepunkte või hoidis neid viimase vastuse ajal. Vabastage enne kehtivad ülekirjutused: pärast eemaldamist ei saa keegi neid varem lõpetada. Kontroller, millel on toide, lõpetab need õigel ajal.',
    removeAnyway: 'Eemalda siiski',
    removed: '{name} on eemaldatud',
  },

  secret: {
    title: 'Kontrolleri {name} käivitamine',
    warning: 'Kopeerige salavõti kohe. Rohkem te seda ei näe.',
    command: 'Käivitage kontrolleris see käsk',
    hint: 'Või määrake need kolm keskkonnamuutujat, näiteks teenusefailis, ja käivitage „plantroom edge“.',
    broker: 'MQTT vahendaja aadress. Muutke seda, kui teenusepakkuja andis teile teise.',
    done: 'Olen need kopeerinud',
  },
}
