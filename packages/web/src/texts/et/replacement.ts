import type * as english from '../replacement.ts'
import type { Translation } from '../translation.ts'

export const replacement: Translation<typeof english.replacement> = {
  open: 'Vaheta riistvara',
  openLabel: 'Vaheta riistvara: {name}',
  title: 'Kas vahetada riistvara: {name}?',
  intro:
    'Uus kontroller säilitab nime ja ID. See saab seadistuse ja hoitud väärtused, kui loob esimest korda ühenduse tühja andmekaustaga.',
  oneMaster:
    'Lülitage vana kontroller välja või eemaldage see seadmete võrgust enne uue käivitamist. Ilma teenuseta juhib see edasi.',
  online:
    'See kontroller on ühenduses. Vahetage see ainult siis, kui lülitate selle kohe välja: ühendus katkestatakse kohe.',
  waiting: 'Alates {time} oodatakse uut kontrollerit. Kui jätkate, vajab see uusimat salavõtit.',
  problem: 'Uus kontroller ei saanud tööd üle võtta: {problem}',
  restored: 'Praegune kontroller võttis töö üle {time}.',
  systems:
    '{count, plural, =0 {Midagi pole seadistatud.} one {Uuele kontrollerile laaditakse # tehnosüsteem.} other {Uuele kontrollerile laaditakse # tehnosüsteemi.}}',
  stateAt: 'Mida kontroller hoidis, seisuga {time}',
  noState: 'Kontroller pole kunagi öelnud, mida see hoidis.',
  overrides:
    '{count, plural, =0 {Ükski ülekirjutus ei jätku.} one {# ülekirjutus jätkub:} other {# ülekirjutust jätkub:}}',
  override: '{datapoint} väärtusel {value} kuni {time}',
  queued: '{datapoint} väärtusel {value} alates {time}',
  limits: '{count, plural, one {# võimsuspiir jätkub:} other {# võimsuspiiri jätkub:}}',
  limit: '{limit}, kuni {time}',
  queuedLimit: '{limit}, alates {time}',
  releases: '{datapoint} seatakse tagasi väärtusele {value}',
  releasesUnknown: '{datapoint} vabastatakse, kuid varasem väärtus pole teada: kontrollige seadet',
  untouched: '{datapoint} oli hoitud nii ammu, et see jäetakse nii, nagu on: kontrollige seadet',
  leftOut:
    '{count, plural, one {# ülekirjutus või võimsuspiir on läbi ega tule tagasi} other {# ülekirjutust või võimsuspiiri on läbi ega tule tagasi}}',
  unknown:
    '{count, plural, one {# vastu võetud ülekirjutus või võimsuspiir pole täpselt teada: saatke see uuesti} other {# vastu võetud ülekirjutust või võimsuspiiri pole täpselt teada: saatke need uuesti}}',
  action: 'Vaheta riistvara',
  version: 'Versioon {version}',
  tooOld: 'Selle teenuse jaoks liiga vana: uuendage kontrollerit. Seni ei saa see käske peale katkestamiste.',
  tooNew: 'Selle teenuse jaoks liiga uus: uuendage teenust. Seni ei saa kontroller käske peale katkestamiste.',
}
