import type * as english from '../alerts.ts'
import type { Translation } from '../translation.ts'

export const alerts: Translation<typeof english.alerts> = {
  title: 'Häired',
  intro: 'Mis on või oli selle objekti kontrollerite, seadmete, importide ja automaatsete eksportidega valesti.',
  openTitle: 'Avatud',
  closedTitle: 'Suletud',
  openLabel: 'Avatud häired',
  closedLabel: 'Suletud häired',
  what: 'Mis',
  since: 'Alates',
  until: 'Kuni',
  noneOpen: 'Kõik on korras',
  noneOpenHint: 'Häire ilmub siia, kui rike kestab kauem, kui selle reegel lubab.',
  noneClosed: 'Suletud häireid veel pole',
}

export const alertNotifications: Translation<typeof english.alertNotifications> = {
  label: 'Teavita mind selles brauseris uutest häiretest',
  offer: 'Ka siis, kui ükski Plantroomi leht ei ole avatud, kui see brauser seda lubab.',
  hint: 'Ainult siis, kui mõni Plantroomi vahekaart on avatud, ka taustal. Muuks ajaks kasutage e-posti.',
  pushed: 'Ka siis, kui ükski Plantroomi leht ei ole avatud, kuni te välja logite.',
  open: 'Näita, mis ja kus on valesti',
  openHint: 'Igaüks, kes seda ekraani näeb, saab seda lugeda, ka lukustatud ekraanilt.',
  closedHint: 'Teavitused ütlevad ainult uute häirete arvu.',
  blocked: 'See brauser blokeerib Plantroomi teavitused. Lubage need brauseri seadetes ja laadige leht uuesti.',
  unsupported: 'See brauser ei näita selle lehe teavitusi. Need vajavad HTTPS-i ja enamik telefone neid ei paku.',
  proofTitle: 'Teavitused on sees',
  proofBody: 'Uued häired ilmuvad siia.',
  one: '{site}: häire',
  many: '{count, plural, one {# uus häire} other {# uut häiret}}',
  manyBody: 'Uusim: {alert}',
}

export const alertSentences: Translation<typeof english.alertSentences> = {
  'controller-offline': 'Kontroller {device} on ühenduseta',
  'connection-lost': 'Kontrolleril {device} katkes ühendus: {subject}',
  'setpoint-not-taken': '{subject} (kontroller {device}) ei võta seadeväärtust vastu',
  'not-restored': '{subject} (kontroller {device}): väärtust ei õnnestunud taastada',
  'limit-not-kept': 'Objekt ületas võimsuspiiri (kontroller {device})',
  'openadr-unreachable': 'OpenADR-programm {subject} ei ole kättesaadav',
  'openadr-refused': 'OpenADR-programmi {subject} sündmusi ei õnnestunud rakendada',
  'clock-wrong': 'Kontrolleri {device} kell on vale',
  'import-failed': 'Import {subject} ebaõnnestus',
  'export-failed': 'Automaatne eksport ebaõnnestus: {subject}',
  'disk-low': 'Kontrolleri {device} ketas on peaaegu täis',
  'disk-failed': 'Kontroller {device} ei saa oma andmeid kettale salvestada',
  'memory-lost': 'Kontroller {device} oli kaotanud oma salvestatud andmed',
  'file-rolled-back': 'Kontroller {device} pöördus tagasi varasema seadistusfaili juurde',
  'telemetry-gap': 'Kontrolleri {device} mõõteandmed puuduvad',
}

export const alertAdvice: Translation<typeof english.alertAdvice> = {
  'controller-offline':
    'Kontrollige selle toidet ja võrku. Kui katkenud on ainult ühendus, lõpetab see oma ülekirjutused õigel ajal. Kui sellel pole voolu, jääb seade nii, nagu on, kui sel pole rikkekindlust: minge kohale.',
  'connection-lost': 'Kontrollige seadme toidet ja võrku. Kontroller loob ühenduse automaatselt uuesti.',
  'setpoint-not-taken': 'Kontrollige, kas seade on kohalikul või käsijuhtimisel. Kontroller proovib edasi.',
  'not-restored':
    'Kui see on praegu oluline, taastage seadme väärtus käsitsi. Kui kontroller ei saa seda kinnitada, lõpetage hoidmine.',
  'limit-not-kept':
    'Avage intervall, et näha, mis võimsust tarbis. Häire lõpeb, kui mõni hilisem intervall on piiri sees.',
  'openadr-unreachable':
    'Avage OpenADR ja kontrollige ühendust: kontroll ütleb, mida VTN-i haldajalt küsida. Seatu lõpeb õigel ajal.',
  'openadr-refused':
    'Avage OpenADR: iga sündmuse juures on kirjas, mida ja miks kontroller tagasi lükkas. Häire lõpeb koos sündmusega või siis, kui seda saab rakendada.',
  'clock-wrong':
    'Parandage kell või selle ajaserver. Seni kasutab kontroller Plantroomi aega. Kui see taaskäivitub ilma ühenduseta, peab see võib-olla oma ülekirjutused katkestama.',
  'import-failed': 'Avage „Import / eksport“, lugege, mis ebaõnnestus, ja importige pakett uuesti.',
  'export-failed':
    'Avage „Import / eksport“, parandage siin nimetatud viga ja käivitage automaatne eksport. Häire lõpeb, kui pakett on kohale jõudnud.',
  'disk-low': 'Vabastage kontrolleri kettal ruumi või vahetage ketas. Muidu lähevad mõõteandmed kaotsi.',
  'disk-failed':
    'Kontroller ei võta vastu ühtegi ülekirjutust, kuni kettale saab jälle kirjutada. See, mida ta hoiab, lõpeb ikkagi õigel ajal. Kontrollige ketast või vahetage see välja.',
  'memory-lost':
    'Teenus andis tagasi selle, mida ta teadis: lõppenu vabastati, ülejäänu kestab edasi. Kontrollige hoitavaid seadmeid ja kontrolleri ketast.',
  'file-rolled-back':
    'Uue failiga kadusid kümne minuti jooksul ühendused või teenus, seepärast võttis kontroller selle tagasi. Võrrelge versioone süsteemide lehel, parandage fail ja laadige see uuesti. Kui fail on õige, valige laadimisel „Jäta igal juhul alles“.',
  'telemetry-gap': 'Kontrollige kontrolleri ketast ja võrku. Juhtimist see ei mõjuta.',
}

export const alertCauses: Translation<typeof english.alertCauses> = {
  missed:
    'Eksport on hilinenud ja ükski tööprotsess ei tööta. Paluge teenusepakkujal see käivitada. Seejärel tehakse eksport üks kord.',
  stopped: 'Selle seadistanud API-võti on tühistatud või aegunud. Kontrollige sihtkohti ja salvestage uuesti.',
  queued: 'Eksport on vaba tööprotsessi oodanud üle 6 tunni. Paluge teenusepakkujal tööprotsesse lisada.',
}

export const limitMissed: Translation<typeof english.limitMissed> = {
  mean: 'Keskmine oli {mean}, piir {limit}.',
}

export const limitCauses: Translation<typeof english.limitCauses> = {
  unlimited: 'Piir lõppes intervalli ajal.',
  limited:
    'Koormused ei järginud juhtimist piisavalt kiiresti: kontrollige, kas need võtavad kontrolleri väärtused vastu.',
  fallback: 'Arvesti näit polnud usaldusväärne: kontrollige arvestit ja selle ühendust.',
  exhausted: 'Kõik, mida tohib muuta, oli muudetud: lülitage välja teisi tarbijaid või lisage seadistusfaili koormusi.',
}

export const alertKinds: Translation<typeof english.alertKinds> = {
  'controller-offline': 'Kontroller ühenduseta',
  'connection-lost': 'Ühendus seadmega katkenud',
  'setpoint-not-taken': 'Seadeväärtust ei võetud vastu',
  'not-restored': 'Seadme väärtus taastamata',
  'limit-not-kept': 'Võimsuspiir ületatud',
  'openadr-unreachable': 'OpenADR-programm pole kättesaadav',
  'openadr-refused': 'OpenADR-sündmus tagasi lükatud',
  'clock-wrong': 'Kell vale',
  'import-failed': 'Import ebaõnnestus',
  'export-failed': 'Automaatne eksport ebaõnnestus',
  'disk-low': 'Ketas peaaegu täis',
  'disk-failed': 'Kettale ei saa kirjutada',
  'memory-lost': 'Salvestatud andmed kadunud',
  'file-rolled-back': 'Seadistusfail tagasi võetud',
  'telemetry-gap': 'Mõõteandmed puuduvad',
}

export const alertRules: Translation<typeof english.alertRules> = {
  title: 'Häired ja veebihaagid',
  intro: 'Millal selle organisatsiooni häired algavad ja lõpevad ning kellele nendest e-kiri saadetakse.',
  forAdmins: 'Häireid ja veebihaake saavad muuta ainult organisatsiooni administraatorid.',
  rules: 'Reeglid',
  label: 'Häirete reeglid',
  kind: 'Liik',
  on: 'Sees',
  onLabel: 'Häire: {kind}',
  openAfter: 'Avaneb, kui on kestnud',
  openAfterLabel: 'Avaneb, kui on kestnud: {kind}',
  closeAfter: 'Sulgub, kui on möödas',
  closeAfterLabel: 'Sulgub, kui on möödas: {kind}',
  badDelay: 'Sisestage aeg kuni 24 h, näiteks 5 min või 1 h.',
  recipients: 'E-kiri saadetakse',
  mail: {
    recipientsLater: 'Kui teenus hakkab e-kirju saatma, saadetakse need',
    none: 'See teenus ei saada e-kirju',
    noneHint:
      'Häireid näidatakse konsoolis ja saadetakse veebihaakidele. E-kirjade jaoks määrab teenusepakkuja SMTP_URL-i ning taaskäivitab teenuse ja selle tööprotsessid.',
    toSettings: 'Teenuse seaded',
    test: 'Saada mulle proovikiri',
    queued: 'Proovikiri aadressile {email} on teel. Kui see kohale ei jõua, pöörduge teenusepakkuja poole.',
    queuedIn: 'Proovikiri aadressile {email} on teel. {outbox} näitab, kas meiliserver võttis selle vastu.',
  },
  admins: 'Kõigile organisatsiooni administraatoritele',
  addresses: 'Neile aadressidele',
  email: 'E-posti aadress',
  sites: 'Ainult nende objektide kohta',
  allSites: 'Kõik objektid',
  addAddress: 'Lisa aadress',
  removeAddress: 'Eemalda {email}',
  remove: 'Eemalda',
  badAddress: 'Sisestage e-posti aadress.',
  save: 'Salvesta reeglid',
  saved: 'Reeglid salvestatud',
}
