import type { Language } from '@plantroom/contract/languages'

/** Words that questions contain and that say nothing about the answer. */
const STOP_WORDS: Readonly<Record<Language, string>> = {
  en: `a an and are as at be been by can cannot could did do does doesn don for from get gets got had has have how i if in into
    is isn it its me must my need not of on one or our please should so than that the their them then there these they
    this to too us was want we were what when where which who why will with won would you your`,
  de: `aber als am an auch auf aus bei bin bitte da damit das dass dem den denn der des die dies diese diesem diesen dieser
    doch du durch ein eine einem einen einer eines er es für gibt hat habe haben ich im in ist kann kein keine keinen können
    man mein meine meinem meinen meiner mich mir mit muss nach nicht noch nur ob oder sein sich sie sind so soll sollte tun
    über um und uns unser unter vom von vor wann war warum was weil welche welchem welchen welcher wenn wer werden wie
    wieso will wir wird wo wurde zu zum zur`,
  et: `aga ei et ja ka kas kes kogu kui kuhu kuidas kus kust kuigi läbi ma me meie mida miks mina minu mis mul mulle nad need ning
    nii olema olen on ole oma pean peab saab saan saada seda see selle sellest siin siis siit sina sinu ta te teen teha
    teie tuleb tule vaja või võib võin üks`,
}

/**
 * Words for the same thing, one line each: what people type, beside what the pages say. A word that ends with a hyphen
 * stands for all words that begin with it.
 */
const SYNONYMS: Readonly<Record<Language, string>> = {
  en: `
    password- passphrase- credential- pin
    reset- forgot- forget- lost lose recover-
    login- logon- signin- sign log logging signed
    logout signout
    stuck hang- frozen jammed restored restore
    release- handback unlock- undo-
    override- setpoint- dispatch- curtail-
    rate throttl- 429 quota-
    limit- bound- maximum cap
    offline disconnected unreachable down dead silent
    controller- gateway- device- edge
    alert- alarm- warning- notification- notif-
    mail- email- smtp
    request- ticket- issue- workorder- fault-
    import- upload- migrat-
    export- download- backup-
    convert- conversion- transform-
    member- user- colleague- people person invite- invitation-
    role- permission- right- access
    key- token- secret-
    2fa mfa factor- totp authenticator- passkey-
    schedule- timetable- calendar- program-
    chart- graph- trend- plot- history
    audit- log- journal- trail
    commission- install- setup configure-
    replace- swap- exchange-
    language- translation- german estonian english
    datapoint- sensor- register- point- tag-
    delete- remove- erase-
    slow- speed- performance
    hook- webhook- callback- event-
    battery- storage-
    peak- shaving
    print- paper pdf`,
  de: `
    passwort- kennwort- pin
    zurücksetz- vergess- verloren neues wiederherstell-
    anmeld- einlogg- login-
    abmeld- auslogg- logout
    hängt hängen hängenbleib- festhäng- klemmt blockiert wiederhergestellt wiederherstellen
    freigeb- freigabe- loslass- zurückgeb- beend-
    übersteuer- override- eingriff- sollwert- setpoint-
    grenz- limit- begrenz- maximal-
    offline getrennt unerreichbar ausgefallen antwortet tot stumm
    controller- gateway- steuergerät- gerät- edge
    alarm- warnung- meldung- störung- benachrichtig- fehler-
    mail- email- smtp postausgang-
    anfrage- wartungsanfrage- ticket- auftrag- schaden- mangel- störmeldung-
    import- hochlad- einles- übernehm-
    export- herunterlad- sicher-
    umwandl- konvertier- umwandel-
    mitglied- benutzer- nutzer- kolleg- person- einlad- lad-
    rolle- recht- berechtig- zugriff-
    schlüssel- token- geheim-
    2fa mfa faktor- totp authenticator- passkey-
    zeitprogramm- zeitplan- wochenplan- kalender- uhrzeit-
    diagramm- kurve- grafik- verlauf- trend- chart-
    prüfprotokoll- protokoll- audit- log- journal-
    inbetriebnahme- installier- einricht- konfigur-
    ersetz- austausch- tausch- wechsel-
    sprache- deutsch- estnisch- englisch-
    datenpunkt- sensor- register- fühler-
    lösch- entfern-
    webhook- rückruf- ereignis-
    batterie- speicher-
    spitzenlast- lastspitze- peak-
    drucken- druck- papier`,
  et: `
    parool- salasõna- pin
    lähtesta- unusta- kaotasin kadunud taasta- uus uue
    sisse logi- sisselogi- sisene-
    välja väljalogi-
    kinni kiilunud jumis hangu- taastada taastatud
    vabasta- lõpeta- tagasi
    ülekirjutus- ülekirjuta- kirjuta- seadeväärtus- seadepunkt- override-
    piir- limii- maksimaal-
    võrguühendus- ühenduseta offline vasta vasta- kättesaamatu katkenud
    kontroller- lüüs- seadmekontroller- edge
    häire- alarm- hoiatus- teavitus- teade teate-
    post- meil- smtp kiri kirja- kirju
    taotlus- hooldustaotlus- pilet- rike rikke- tellimus-
    import- impordi- üleslaadi- laadi
    eksport- ekspordi- allalaadi- varunda-
    teisenda- konverteeri-
    liige liikme- kasutaja- kolleeg- inimes- kutsu- kutse-
    roll- õigus- ligipääs- juurdepääs-
    võti võtme- võtit- token- saladus- salavõti
    2fa mfa tegur- totp autentija- pääsuvõti pääsuvõtme-
    ajakava- graafiku- kalender- kalendri- nädalakava-
    graafik diagramm- kõver- ajalugu trend-
    auditilogi- audit- logi- päevik-
    seadistus- seadista- paigalda- kasutuselevõ-
    asenda- vaheta- väljavahet-
    keel keele- keelt eesti saksa inglise
    andmepunkt- andur- sensor- register- registri-
    kustuta- eemalda-
    veebihaak veebihaagi- webhook-
    aku akud salvesti-
    tipukoormus- tipp tipu-
    prindi- trüki- paber-`,
}

/**
 * Writes letters without marks, so that people find `zurücksetzen` and `häire` without the keys of that language. The
 * length stays the same.
 */
export const fold = (text: string): string =>
  text.replace(/[^\0-\x7f]/g, (letter) => letter.normalize('NFD').charAt(0) || letter).toLowerCase()

export interface Words {
  isStopWord(folded: string): boolean
  /** The names of the lines of synonyms that a word is in. */
  meaningsOf(folded: string): readonly string[]
  /** The beginnings of all words with a meaning. */
  wordsFor(meaning: string): readonly string[]
}

/** Returns the words of a language, as the search compares them. */
export function wordsOf(language: Language): Words {
  const stopWords = new Set(fold(STOP_WORDS[language]).split(/\s+/))
  const groups = new Map(
    fold(SYNONYMS[language])
      .trim()
      .split('\n')
      .map((line, index) => [`=${index}`, line.trim().split(/\s+/)]),
  )
  const known = new Map<string, readonly string[]>()
  const isOne = (word: string, entry: string) =>
    entry.endsWith('-') ? word.startsWith(entry.slice(0, -1)) : word === entry
  return {
    isStopWord: (folded) => stopWords.has(folded),
    meaningsOf(folded) {
      const found =
        known.get(folded) ??
        [...groups].filter(([, entries]) => entries.some((entry) => isOne(folded, entry))).map(([name]) => name)
      known.set(folded, found)
      return found
    },
    wordsFor: (meaning) => (groups.get(meaning) ?? []).map((entry) => entry.replace(/-$/, '')),
  }
}
