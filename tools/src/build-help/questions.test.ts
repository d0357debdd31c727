import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Language } from '@plantroom/contract/languages'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../steps.ts'
import { writeSite } from './site.ts'

/** As people type, with the section that must be among the first three results. The address is below `/help/`. */
const QUESTIONS: Readonly<Record<Language, readonly (readonly [question: string, answer: string])[]>> = {
  en: [
    ['how do I reset my password', 'console/en/sign-in#reset-a-forgotten-password'],
    ['forgot pasword', 'console/en/sign-in#reset-a-forgotten-password'],
    ['I lost my passphrase', 'console/en/sign-in#reset-a-forgotten-password'],
    ['override stuck', 'console/en/overview#an-override-is-stuck'],
    ['overide is stuck', 'console/en/overview#an-override-is-stuck'],
    ['rate limit', 'console/en/keys#a-program-reaches-a-rate-limit'],
    ['429 too many requests', 'console/en/keys#a-program-reaches-a-rate-limit'],
    ['controller offline', 'console/en/devices#when-something-is-wrong'],
    ['gateway does not answer', 'console/en/overview#the-controller-does-not-answer'],
    ['release everything at a site', 'console/en/overview#release-a-datapoint'],
    ['equipment ignores the setpoint', 'console/en/overview#the-equipment-does-not-take-the-setpoint'],
    ['place an override', 'console/en/devices#place-an-override'],
    ['invite a colleague', 'console/en/members#invite-a-person'],
    ['what may a viewer do', 'console/en/members#invite-a-person'],
    ['lost my phone second factor', 'console/en/sign-in#use-your-second-factor'],
    ['set up 2FA', 'console/en/account#set-up-a-second-factor'],
    ['authentcator app', 'console/en/account#set-up-a-second-factor'],
    ['change language to german', 'console/en/account#choose-your-language'],
    ['create api key', 'console/en/keys#create-a-key'],
    ['revoke a token', 'console/en/keys#rotate-or-revoke-a-key'],
    ['snooze an alarm', 'console/en/alerts#work-on-an-alert'],
    ['acknowlege alert', 'console/en/alerts#work-on-an-alert'],
    ['who gets mail about alerts', 'console/en/alert-rules#choose-who-gets-mail'],
    ['mail does not arrive', 'console/en/outbox#when-mail-does-not-arrive'],
    ['webhook signature', 'how-to/get-alerts#verify-the-signature'],
    ['add a ticket', 'console/en/requests#add-a-request'],
    ['mention someone in a comment', 'console/en/requests#work-on-a-request'],
    ['print a request with photos', 'console/en/requests#print-or-download'],
    ['import tickets', 'console/en/packages#import-a-package'],
    ['resume interrupted uplaod', 'console/en/packages#continue-an-interrupted-upload'],
    ['convert jira export', 'how-to/convert/jira#convert'],
    ['dates are wrong after conversion', 'console/en/convert#when-something-is-wrong'],
    ['replace broken controller', 'console/en/systems#replace-a-controller'],
    ['load comissioning file', 'console/en/systems#load-a-commissioning-file'],
    ['edit schedule', 'console/en/schedules#change-a-schedule-or-a-limit'],
    ['compare chart with yesterday', 'console/en/charts#make-a-chart'],
    ['who signed in', 'console/en/activity#see-who-signed-in-or-changed-something'],
    ['backup and restore', 'how-to/back-up-and-restore#restore'],
    ['verify audit log', 'how-to/verify-the-audit#export-and-verify'],
    ['modbus register', 'reference/commissioning#modbus-tcp'],
  ],
  de: [
    ['wie setze ich mein Passwort zurück', 'console/de/sign-in#ein-vergessenes-passwort-zurücksetzen'],
    ['kennwort vergessen', 'console/de/sign-in#ein-vergessenes-passwort-zurücksetzen'],
    ['Paswort zuruecksetzen', 'console/de/sign-in#ein-vergessenes-passwort-zurücksetzen'],
    ['Übersteuerung hängt', 'console/de/overview#eine-übersteuerung-hängt-fest'],
    ['ubersteuerung klemmt', 'console/de/overview#eine-übersteuerung-hängt-fest'],
    ['Controller antwortet nicht', 'console/de/overview#der-controller-antwortet-nicht'],
    ['Anlage übernimmt Sollwert nicht', 'console/de/overview#die-anlage-übernimmt-den-sollwert-nicht'],
    ['alles freigeben', 'console/de/overview#einen-datenpunkt-freigeben'],
    ['Kollegen einladen', 'console/de/members#eine-person-einladen'],
    ['Welche Rechte hat ein Betrachter?', 'console/de/members#eine-person-einladen'],
    ['zweiter Faktor einrichten', 'console/de/account#einen-zweiten-faktor-einrichten'],
    ['Telefon verloren', 'console/de/account#wenn-etwas-nicht-stimmt'],
    ['Sprache ändern', 'console/de/account#die-sprache-wählen'],
    ['API Schlüssel erstellen', 'console/de/keys#einen-schlüssel-erstellen'],
    ['Rate Limit 429', 'console/de/keys#ein-programm-erreicht-ein-rate-limit'],
    ['wer hat sich angemeldet', 'console/de/activity#sehen-wer-sich-angemeldet-oder-etwas-geändert-hat'],
    ['Warnung quittieren', 'console/de/alerts#einen-alarm-bearbeiten'],
    ['E-Mail kommt nicht an', 'console/de/outbox#wenn-eine-e-mail-nicht-ankommt'],
    ['Ticket anlegen', 'console/de/requests#eine-anfrage-anlegen'],
    ['Upload abgebrochen fortsetzen', 'console/de/packages#einen-unterbrochenen-upload-fortsetzen'],
    ['Zeitplan ändern', 'console/de/schedules#ein-zeitprogramm-oder-einen-grenzwert-ändern'],
    ['Controller austauschen', 'console/de/systems#einen-controller-ersetzen'],
    ['Inbetriebnamedatei laden', 'console/de/systems#eine-inbetriebnahmedatei-laden'],
  ],
  et: [
    ['kuidas parooli lähtestada', 'console/et/sign-in#unustatud-parooli-lähtestamine'],
    ['unustasin salasõna', 'console/et/sign-in#unustatud-parooli-lähtestamine'],
    ['parolli lahtestamine', 'console/et/sign-in#unustatud-parooli-lähtestamine'],
    ['ülekirjutus jäi kinni', 'console/et/overview#ülekirjutus-on-kinni-jäänud'],
    ['ulekirjutus kinni', 'console/et/overview#ülekirjutus-on-kinni-jäänud'],
    ['kontroller ei vasta', 'console/et/overview#kontroller-ei-vasta'],
    ['seade ei võta seadeväärtust vastu', 'console/et/overview#seade-ei-võta-seadeväärtust-vastu'],
    ['kuidas vabastada andmepunkti', 'console/et/overview#andmepunkti-vabastamine'],
    ['kolleegi kutsumine', 'console/et/members#inimese-kutsumine'],
    ['millised õigused on vaatajal', 'console/et/members#inimese-kutsumine'],
    ['teise teguri seadistamine', 'console/et/account#teise-teguri-seadistamine'],
    ['kaotasin telefoni', 'console/et/account#kui-midagi-on-valesti'],
    ['keele muutmine', 'console/et/account#keele-valimine'],
    ['API võtme loomine', 'console/et/keys#võtme-loomine'],
    ['rate limit 429', 'console/et/keys#programmi-päringute-piir-on-täis-rate-limit'],
    ['kes logis sisse', 'console/et/activity#kes-logis-sisse-või-muutis-midagi'],
    ['alarmi kinnitamine', 'console/et/alerts#häirega-tegelemine'],
    ['e-kiri ei jõua kohale', 'console/et/outbox#kui-kiri-ei-jõua-kohale'],
    ['uue taotluse lisamine', 'console/et/requests#taotluse-lisamine'],
    ['katkenud üleslaadimine', 'console/et/packages#katkenud-üleslaadimise-jätkamine'],
    ['ajakava muutmine', 'console/et/schedules#ajakava-või-piiri-muutmine'],
    ['kontrolleri vahetamine', 'console/et/systems#kontrolleri-väljavahetamine'],
    ['seadistusfaili ladimine', 'console/et/systems#seadistusfaili-laadimine'],
  ],
}

type LoadSearch = (pages: string, language: Language, here: string) => Promise<Search>
type Search = (question: string) => { address: string }[]

let folder = ''
let loadSearch: LoadSearch
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plantroom-questions-'))
  await writeSite(ROOT, folder)
  const script = assets().find((name) => /^search-\w+.*\.js$/.test(name))
  ;({ loadSearch } = (await import(join(folder, 'assets', script ?? ''))) as { loadSearch: LoadSearch })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const assets = () => readdirSync(join(folder, 'assets'))

const searches = new Map<string, Promise<Search>>()

/** The built search, with the built texts of a language. */
function searchIn(language: Language, here = '/help/'): Promise<Search> {
  const known = searches.get(language + here) ?? loadTexts(language, here)
  searches.set(language + here, known)
  return known
}

async function loadTexts(language: Language, here: string): Promise<Search> {
  const file = assets().find((name) => name.startsWith(`pages-${language}-`) && name.endsWith('.json'))
  const text = readFileSync(join(folder, 'assets', file ?? '')).toString('base64')
  return loadSearch(`data:application/json;base64,${text}`, language, here)
}

describe.each(Object.entries(QUESTIONS) as [Language, (typeof QUESTIONS)['en']][])('in %s', (language, questions) => {
  test('every question finds its answer among the first three results', async () => {
    const search = await searchIn(language)
    const missed = questions.flatMap(([question, answer]) => {
      const found = search(question).map(({ address }) => decodeURI(address.replace('/help/', '')))
      return found.slice(0, 3).includes(answer)
        ? []
        : [{ question, answer, place: found.indexOf(answer), found: found.slice(0, 3) }]
    })
    expect(missed).toEqual([])
  })

  test('a word that no page has finds nothing', async () => {
    expect((await searchIn(language))('xyzzyqwv')).toEqual([])
  })
})

test('the API reference finds operations first', async () => {
  const found = (await searchIn('en', '/docs/'))('cancel an override')
  expect(found[0]?.address).toBe('/docs/#/Edge%20device%20commands/demandResponseCancel')
})
