import type * as english from '../systems.ts'
import type { Translation } from '../translation.ts'

export const systems: Translation<typeof english.systems> = {
  title: 'Tehnosüsteemid',
  intro: 'Igal kontrolleril seadistatud ühendused, andmepunktid, ajakavad ja tipukoormuse piiramine.',
  forAdmins: 'Kontrollereid saavad lisada ja seadistusfaile laadida ainult administraatorid.',
  noDevices: 'Sellel objektil pole veel kontrollereid',
  noDevicesHint: 'Administraator saab kontrolleri lisada ja käivitada seadetega, mida siis näidatakse.',
  nothing: 'Sellel kontrolleril pole veel midagi seadistatud.',
  toDevice: 'Vaata väärtusi',

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
  unknownPoint: 'andmepunkt, mis pole enam seadistatud',

  download: 'Laadi fail alla',
  downloadLabel: 'Laadi alla fail: {system}',

  load: {
    open: 'Laadi fail',
    openLabel: 'Laadi fail kontrollerile {device}',
    title: 'Seadistusfaili laadimine kontrollerile {device}',
    hint: 'JSON- või YAML-fail ühe tehnosüsteemiga. Enne laadimist näete, mis muutub.',
    choose: 'Vali fail',
    input: 'Seadistusfail',
    another: 'Vali teine fail',
    submit: 'Laadi fail',
    remove: 'Eemalda tehnosüsteem',
    done: '{system} on laaditud',
    warnings: '{count, plural, one {Fail on laaditud # hoiatusega} other {Fail on laaditud # hoiatusega}}',
    warning: '{path}: {message}',
    moreWarnings: 'ja veel {count}',
    gone: '{system} on kontrollerilt eemaldatud',
    offline:
      'Kontroller on ühenduseta, seega ei saanud see faili kontrollida. Midagi ei muutunud. Proovige uuesti, kui ühendus on taastunud.',
    offlineNow: 'Kontroller on ühenduseta. Faili saab laadida, kui ühendus on taastunud.',
    mistakes:
      '{count, plural, one {Failis on # viga. Midagi ei muutunud.} other {Failis on # viga. Midagi ei muutunud.}}',
    refused: 'Kontroller lükkas faili tagasi. Midagi ei muutunud.',
    tooLarge: 'Seadistusfail võib olla kõige rohkem 3 MB.',
    notAnObject: 'Fail peab olema objekt väljadega technicalSystem ja connections.',
    noName: 'technicalSystem puudub: sisestage tehnosüsteemi nimi.',
    noConnections: 'connections puudub: see peab olema loend.',
    badConnection: 'connections[{index}] vajab nime ja andmepunktide loendit, kus igaühel on nimi.',
    badPeakShaving: 'peakShaving vajab arvestit ja koormuste loendit, kus igaühel on andmepunkt.',
    badSchedules: 'Iga schedules kirje vajab nime, andmepunkti ja päevadega ajavahemike loendit.',
    syntax: 'Fail pole JSON ega YAML: {reason}',
    unreadable: 'Brauser ei saanud faili lugeda.',
  },

  changes: {
    system: {
      new: '{system} on sellel kontrolleril uus. Muud süsteemid jäävad nii, nagu on.',
      same: '{system} on juba täpselt nii seadistatud. Midagi ei muutu.',
      changed:
        'Fail asendab süsteemi {system}. Sama nimega andmepunktidel jääb ID samaks. Ümber nimetatud andmepunkt saab uue ID.',
      removed: 'Failis pole ühendusi. Selle laadimine eemaldab kontrollerilt süsteemi {system} ja kõik selles oleva.',
      absent: 'Failis pole ühendusi ja kontrolleril pole süsteemi {system}. Midagi ei muutu.',
    },
    kinds: { new: 'Uus', changed: 'Muudetud', removed: 'Eemaldatud' },
    connection: 'Ühendus {name}',
    unchanged: '{count, plural, one {# andmepunkt muutmata} other {# andmepunkti muutmata}}',
    peak: 'Tipukoormuse piiramine',
    schedule: 'Ajakava {name}',
    more: '… ja veel {count}',
    withFields: '{name}: {fields}',
    fields: {
      protocol: 'protokoll',
      settings: 'seaded',
      accessType: 'ligipääs',
      unit: 'mõõtühik',
      kind: 'liik',
      tags: 'sildid',
      writeInputType: 'sisend',
      writeInputData: 'vahemik',
      releaseValue: 'vabastusväärtus',
      limits: 'piirangud',
      analyticsInterval: 'arhiveerimine',
      analyticsCalculateConsumption: 'tarbimine',
      broadcastInterval: 'reaalajaväärtused',
      writeInterval: 'korduv kirjutamine',
      scaler: 'skaleerimine',
      failsafe: 'rikkekindlus',
      data: 'aadress',
    },
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
    removed: '{name} on eemaldatud',
  },

  secret: {
    title: 'Kontrolleri {name} käivitamine',
    warning: 'Kopeerige salavõti kohe. Rohkem te seda ei näe.',
    hint: 'Määrake kontrolleris need kolm keskkonnamuutujat ja käivitage „./plantroom edge“.',
    broker: 'MQTT vahendaja aadress. Muutke seda, kui teenusepakkuja andis teile teise.',
    done: 'Olen need kopeerinud',
  },
}
