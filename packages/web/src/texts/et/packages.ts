import type * as english from '../packages.ts'
import type { Translation } from '../translation.ts'

export const packages: Translation<typeof english.packages> = {
  title: 'Import / eksport: hooldustaotlused',
  intro: 'Importige taotlusi teisest süsteemist või eksportige selle objekti taotlused .fpl-paketina.',

  importing: {
    title: 'Import',
    drop: 'Lohistage pakett siia',
    dropHint: '.fpl-fail, kuni 5 GB. Plantroom kontrollib seda enne ega impordi midagi, kuni te kinnitate.',
    dropNow: 'Lohistage see lehe suvalisse kohta',
    choose: 'Vali fail',
    input: 'Imporditav pakett',
    forManagers:
      'Pakette saavad importida ja eksportida ainult haldurid ja administraatorid. Varasemaid töid saate vaadata.',
  },

  name: {
    title: '„{name}“ pole kehtiv paketi nimi',
    flaw: {
      ending: 'Nimi peab lõppema tähtedega .fpl.',
      'nothing-before': 'Nimes peab enne .fpl olema vähemalt üks märk.',
      'too-long': 'Nimes võib olla kuni 255 märki.',
      characters: 'Nimes võivad olla tähed (ka ä, ö, õ, ü), numbrid, tühikud ja _ - . ( ).',
    },
    use: 'Laadi üles nimega „{name}“',
    notAPackage: 'Valige pakett või nimetage fail enne ümber.',
    convert: 'See näib olevat teise süsteemi eksport. Teisendage see enne paketiks.',
    folder: 'See on kaust. Pakett on üks fail: pakkige kausta sisu kokku ja andke tulemusele lõpp .fpl.',
    several: 'Lohistage korraga üks pakett.',
    tooLarge: 'Selle faili suurus on {size}, aga pakett võib olla kuni 5 GB. Jagage taotlused mitmesse paketti.',
  },

  upload: {
    bar: 'Üleslaadimine: {name}',
    title: '{name} laaditakse üles',
    gone: '{loaded} / {total}',
    position: 'Fail {position} / {count}',
    speed: '{amount}/s',
    left: 'Jäänud umbes {time}',
    starting: 'Üles laaditud. Kontroll algab…',
    stay: 'Võite samal ajal avada konsooli teisi lehti. Kui sulgete selle vahekaardi, valige jätkamiseks hiljem sama fail.',
    stayWhole: 'Võite samal ajal avada konsooli teisi lehti. Selle vahekaardi sulgemine katkestab üleslaadimise.',
    comparing: 'Faili {name} võrreldakse juba üles laadituga',
    completing: 'Faili {name} üleslaadimist lõpetatakse',
    paused: 'Faili {name} üleslaadimine on peatatud',
    pause: 'Peata',
    resume: 'Jätka üleslaadimist',
    retrying: '{seconds, plural, =0 {Ühendus katkes. Uus katse…} other {Ühendus katkes. Järgmine katse # s pärast.}}',
    another: 'Pooleli on teise faili üleslaadimine, mille nimi on {name}',
    anotherHint:
      'Teise faili suurus on sama, sisu aga erinev. Asendage pooleliolev üleslaadimine või loobuge ja valige see teine fail.',
    replace: 'Asenda selle failiga',
    unreadable:
      'Brauser ei saa faili enam lugeda. Seda on muudetud, teisaldatud või see on eemaldatud. Valige see uuesti.',
    cancel: 'Katkesta üleslaadimine',
    failed: '{name} jäi üles laadimata',
    cutOff: 'Ühendus katkes ja midagi ei säilitatud. Laadige fail uuesti üles.',
    timedOut: 'Üleslaadimine oli liiga aeglane ja peatati. Kontrollige ühendust ja laadige fail uuesti üles.',
    noRoom: 'Failihoidla on täis. Paluge teenusepakkujal ruumi vabastada ja laadige fail uuesti üles.',
    refused: 'Failihoidla vastas {status}. Proovige uuesti. Kui see kordub, pöörduge teenusepakkuja poole.',
    again: 'Laadi uuesti üles',
    doneAway: '{name} on üles laaditud ja kontrollimisel',
    doneAwayHint: 'Vaadake: Import / eksport.',
  },

  unfinished: {
    title: 'Faili {name} üleslaadimine on pooleli',
    hint: 'Jätkamiseks valige sama fail. Viimane tegevus: {last}. Plantroom eemaldab pooleli oleva üleslaadimise: {end}.',
    choose: 'Vali fail ja jätka',
    input: 'Pooleli oleva üleslaadimise fail {name}',
    other: '„{name}“ on teine fail',
    otherHint: 'Pooleliolev üleslaadimine on failist {name} ({size}). Valitud faili suurus on {given}.',
  },

  job: {
    of: {
      PREVIEW_TICKET_IMPORT: 'Kontroll',
      TICKET_IMPORT: 'Import',
      TICKET_EXPORT: 'Eksport',
      PREVIEW_TICKET_FILL: 'Täitmise kontroll',
      TICKET_FILL: 'Täitmine',
    },
    title: {
      PREVIEW_TICKET_IMPORT: 'Kontroll: {file}',
      TICKET_IMPORT: 'Import: {file}',
      TICKET_EXPORT: 'Eksport: {file}',
      PREVIEW_TICKET_FILL: 'Täitmise kontroll: {file}',
      TICKET_FILL: 'Täitmine: {file}',
    },
    bar: {
      PREVIEW_TICKET_IMPORT: 'Kontrolli edenemine',
      TICKET_IMPORT: 'Impordi edenemine',
      TICKET_EXPORT: 'Ekspordi edenemine',
      PREVIEW_TICKET_FILL: 'Täitmise kontrolli edenemine',
      TICKET_FILL: 'Täitmise edenemine',
    },
    accepted: 'Alustatud {time}',
    acceptedBy: 'Alustatud {time}, alustas {who}',
    lost: 'Ühendus Plantroomiga on katkenud. Töö jätkub ja leht värskeneb, kui Plantroom vastab.',
    noWorker:
      'See võtab ebatavaliselt kaua. Küsige teenusepakkujalt, kas tööprotsess töötab. Vahepeal ei lähe midagi kaotsi.',
    stays: 'Võite selle lehe sulgeda. Töö jätkub ja see aadress näitab seda uuesti.',
  },

  progress: {
    waiting: 'Ootab alustamist',
    starting: 'Alustamine',
    stages: {
      'checking manifest': 'Taotluste loendi lugemine',
      'checking files': 'Failide kontrollimine',
      comparing: 'Võrdlemine selle objekti taotlustega',
      importing: 'Taotluste importimine',
      filling: 'Tühjade väljade täitmine',
      requests: 'Taotluste kogumine',
      files: 'Manuste pakkimine',
    },
    ofBytes: '{done} / {total}',
    ofRequests: '{count, plural, one {{done} / # taotlus} other {{done} / # taotlust}}',
    attempt: 'Katse {current} / {most}',
    again: 'Katse {next} / {most} algab minuti jooksul',
    againTitle: 'Viimane katse jäi lõpetamata',
    againHint: 'Imporditud taotlused jäävad alles. Järgmine katse jätkab sealt, kus see peatus.',
  },

  counts: {
    new: 'Uued taotlused',
    existing: 'Juba sellel objektil',
    comments: 'Kommentaarid',
    attachments: 'Manused',
    imported: 'Imporditud taotlused',
    skipped: 'Vahele jäetud, juba sellel objektil',
    tags: 'Uued sildid',
  },

  preview: {
    valid: 'Pakett on kehtiv',
    willAdd: '{count, plural, one {Import lisab # uue taotluse.} other {Import lisab # uut taotlust.}}',
    willSkip:
      '{count, plural, one {See jätab vahele # taotluse, mis on juba sellel objektil.} other {See jätab vahele # taotlust, mis on juba sellel objektil.}}',
    empty: 'Paketis pole taotlusi, seega pole midagi importida.',
    nothingNew:
      '{count, plural, one {Paketi # taotlus on juba sellel objektil, seega pole midagi importida.} other {Kõik paketi # taotlust on juba sellel objektil, seega pole midagi importida.}}',
    noMail: 'Import ei saada e-kirju ega muuda kunagi olemasolevaid taotlusi.',
    importAll: '{count, plural, one {Impordi # taotlus} other {Impordi # taotlust}}',
    forManagers: 'Selle saab importida haldur või administraator.',
  },

  imported: {
    title: 'Import on lõppenud.',
    line: '{count, plural, one {Lisatud # taotlus, vahele jäetud {skipped}.} other {Lisatud # taotlust, vahele jäetud {skipped}.}}',
    seeRequests: 'Vaata taotlusi',
    numbers: 'Laadi alla taotluste numbrid (CSV)',
    numbersHint: 'Failis on iga taotluse väline ID ja number sellel objektil.',
  },

  findings: {
    tags: '{count, plural, one {# uus silt, mille loob import} other {# uut silti, mille loob import}}',
    units: '{count, plural, one {# tundmatu üksus, jäetud tühjaks} other {# tundmatut üksust, jäetud tühjaks}}',
    people: '{count, plural, one {# isikut ei leitud, jäetud tühjaks} other {# isikut ei leitud, jäetud tühjaks}}',
    manyTags: 'Vähemalt {count} uut silti, mille loob import',
    manyUnits: 'Vähemalt {count} tundmatut üksust, jäetud tühjaks',
    manyPeople: 'Vähemalt {count} isikut ei leitud, jäetud tühjaks',
    unitsHint:
      'Et need alles jääksid, lisage lehel „Üksused ja isikud“ nende nimedega üksused ja kontrollige paketti uuesti.',
    peopleHint:
      'Et need alles jääksid, lisage lehel „Üksused ja isikud“ nende aadressidega isikud ja kontrollige paketti uuesti.',
    more: '… ja veel {count}',
    download: 'Laadi alla täielik loend (CSV)',
  },

  failed: {
    invalid: 'Pakett pole kehtiv',
    invalidHint: 'Midagi ei imporditud. Parandage taotlused lähtesüsteemis, looge pakett uuesti ja laadige see üles.',
    unreadable: 'Plantroom ei saa seda faili paketina lugeda',
    unreadableHint:
      'Midagi ei imporditud. Fail on vigane, poolik või pole pakett. Looge pakett uuesti või teisendage enne teise süsteemi eksport.',
    other: {
      PREVIEW_TICKET_IMPORT: 'Kontroll ebaõnnestus',
      TICKET_IMPORT: 'Import katkes',
      TICKET_EXPORT: 'Eksport ebaõnnestus',
      PREVIEW_TICKET_FILL: 'Täitmise kontroll ebaõnnestus',
      TICKET_FILL: 'Täitmine katkes',
    },
    csv: 'Laadi alla täielik aruanne (CSV)',
    json: 'Laadi alla täielik aruanne (JSON)',
    again: 'Käivita import uuesti',
    unknown: 'Plantroom ei öelnud põhjust.',
  },

  exporting: {
    title: 'Eksport',
    hint: 'Eksportige selle objekti kõik taotlused koos vestluste ja manustega ühe paketina. Eksport sisaldab isikuandmeid. Hoidke seda vastavalt.',
    start: 'Ekspordi kõik taotlused',
    done: 'Pakett on valmis',
    requests: '{count, plural, one {# taotlus} other {# taotlust}}',
    comments: '{count, plural, one {# kommentaar} other {# kommentaari}}',
    attachments: '{count, plural, one {# manus} other {# manust}}',
    download: 'Laadi alla ({size})',
    adjusted:
      '{count, plural, one {# salvestatud väärtus on paketis muudetud, sest pakett ei tohi seda sisaldada:} other {# salvestatud väärtust on paketis muudetud, sest pakett ei tohi neid sisaldada:}}',
    became: '{value} asemel on {became}',
    leftOut: '{value} jäeti välja',
    kept: 'Paketti hoitakse kuni seitse päeva või kuni on valmis kolm uuemat eksporti.',
    removed:
      'Seda paketti ei saa alla laadida: seda saavad ainult haldurid ja administraatorid, kuni seitse päeva, kuni see on kolme uusima hulgas. Eksportige uuesti.',
  },

  history: {
    title: 'Ajalugu',
    label: 'Selle objekti tööd',
    kind: 'Töö',
    file: 'Fail',
    by: 'Alustas',
    byOperator: 'Teenusepakkuja',
    bySchedule: 'Ajakava',
    byKey: '{name} (API-võti)',
    when: 'Alustatud',
    result: 'Tulemus',
    empty: 'Importe ega eksporte veel pole',
    previewed: 'Kehtiv: {added} uut, {existing} juba sellel objektil',
    imported:
      '{count, plural, one {Lisatud # taotlus, vahele jäetud {skipped}} other {Lisatud # taotlust, vahele jäetud {skipped}}}',
    exported: '{count, plural, one {# taotlus, {size}} other {# taotlust, {size}}}',
    fillPreviewed: '{count, plural, one {# taotlust saab täita} other {# taotlust saab täita}}',
    filled: '{count, plural, one {# taotlus täidetud} other {# taotlust täidetud}}',
  },
}
