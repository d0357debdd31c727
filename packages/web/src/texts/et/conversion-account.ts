import type * as english from '../conversion-account.ts'
import type { Translation } from '../translation.ts'

export const conversionAccount: Translation<typeof english.conversionAccount> = {
  became: {
    'left-out': 'välja jäetud',
    'left-out-no-date': 'välja jäetud, sest see ütleb, et kuupäeva pole',
    'left-out-separators': 'välja jäetud, sest selles on ainult eraldajad',
    'left-out-empty-comment': 'välja jäetud, sest selles pole teksti ega faile',
    description: 'osa kirjeldusest',
    'short-title': 'lühem pealkiri, tervik on kirjelduses',
    comment: 'kommentaar',
    'comment-part': 'osa kommentaarist',
    'comment-too-long': 'osa kommentaarist, sest see on liiga pikk',
    'comment-missing-file': 'nimi kommentaaris, sest fail puudub',
    notes: 'osa märkmetest',
    'notes-unfit': 'osa märkmetest, sest see ei mahu sellele väljale: {field}',
    'notes-no-priority': 'osa märkmetest, sest vastavustabelis pole sellist prioriteeti',
    'notes-no-email': 'osa märkmetest, sest see pole e-posti aadress',
    'notes-long-tag': 'osa märkmetest, sest see on sildi jaoks liiga pikk',
    'notes-missing-file': 'nimi märkmetes, sest fail puudub',
    'other-state': 'olek „{state}“, väärtus on märkmetes',
    'reporter-email-and-notes': 'teataja e-posti aadress ja osa märkmetest',
    'reporter-name': 'teataja nimi, sest see pole e-posti aadress',
    'person-name-in-notes': '{field}, nimi on märkmetes',
    'address-name-in-notes': 'aadress, nimi on märkmetes',
    'unstorable-character': 'tekst, milles � asendab märki, mida ei saa salvestada',
    'changed-file-name': 'manuse nimi, muudetud',
    'earlier-moment': 'kahest hetkest varasem, sest kella keerati tagasi',
    'later-moment': 'hetk pärast kellakeeramist, sest kell jättis selle aja vahele',
  },
  notes: {
    'encoding-assumed':
      'Üks fail pole UTF-8 ja loeti kodeeringus {subject}. Kui tähed on valed, salvestage fail UTF-8-na ja laadige uuesti üles.',
    'other-sheets': 'Loeti ainult leht {subject}. Failis on ka {values}.',
    'text-above-table': 'Tabeli kohal olev tekst jäeti välja: {subject}',
    'hidden-columns': 'Loeti ka peidetud veerud: {values}.',
    'items-without-ticket':
      'Välja jäetud järelteated, ülesanded ja lahendused, mille piletit failides pole: {count} (piletid: {values}).',
    'unknown-states':
      'Tundmatud olekud saavad olekuks „{state}“ või „{done}“, kui eksport näitab, et need on tehtud: {values}.',
    'unknown-priorities': 'Tundmatud prioriteedid jäävad tühjaks: {values}.',
    'two-date-orders':
      'Kuupäevad on kahes järjekorras: päev on ees {dayFirst} korral, kuu {monthFirst} korral. Neid loetakse selles järjekorras: {order}. Parandage ülejäänud.',
    'date-order-needed': 'Iga kuupäev sobib kahte järjekorda, näiteks {values}. Valige allpool järjekord.',
    'zone-assumed':
      'Kuupäevadel pole ajavööndit ja neid loetakse ajavööndis {subject}. Valige teise süsteemi ajavöönd.',
    'no-id-column': 'Üheski veerus pole kordumatut ID-d, seega tuletatakse ID-d pealkirjast ja loomise ajast.',
    'no-title-column': 'Ükski veerg ei paista pealkirjana, seega tulevad pealkirjad kirjeldusest.',
    'columns-missing': 'Vastavustabelis on veerud, mida ekspordis pole: {values}.',
    'columns-unlisted': 'Vastavustabelis pole neid veerge, seega lähevad need kirjeldusse: {values}.',
    'derived-ids': 'ID-ta taotlusi: {count}. Nende ID-d tuletati pealkirjast ja loomise ajast.',
    'derived-titles': 'Pealkirjata taotlusi: {count}. Need said oma teksti esimese rea või oma tunnuse.',
    'values-unlisted':
      'Veerus {subject} on rohkem väärtusi, kui vastavustabel loetleb: {count} on pikemad kui 200 märki või pärast esimest 10 000. Loetlege tähtsad.',
    'columns-by-values': 'Veerud, mis tunti ära väärtuste, mitte nime järgi: {values}.',
    'states-by-evidence': 'Olekud, mida taotluste muud väljad tõendavad: {values}. Kontrollige neid.',
    'requests-by-evidence':
      'Taotlusi ilma vastavustabelis oleva olekuta: {count} said oleku muudest väljadest, näiteks lahendamise kuupäevast.',
    'system-unrecognized':
      'Veergude {values} seast ei tuntud ära ei süsteemi {subject} pealkirja ega olekut. Valige, milline veerg on pealkiri ja milline olek.',
    'open-but-resolved': 'Avatud, kuid lahendamise kuupäevaga: {count}, näiteks {values}.',
    'done-without-date':
      'Lahendatud või suletud ilma lahendamise kuupäevata, mis teistel on: {count}, näiteks {values}.',
    'one-state': 'Kõigi {count} taotluse olek on „{one}“.',
    'future-dates': 'Kuupäevaga tulevikus: {count}, näiteks {values}.',
    'resolved-before-created': 'Lahendatud enne loomist: {count}, näiteks {values}.',
    undated: 'Loomise kuupäevata: {count}, näiteks {values}.',
    'titles-of-fields': 'Pealkirjaga, mis on võetud muust väljast või tunnusest: {count}, näiteks {values}.',
  },
  siteZone:
    'Kuupäevadel pole ajavööndit ja neid loetakse ajavööndis {subject}, mis on selle objekti ajavöönd. Kui teine süsteem kasutas muud, valige see.',
  andMore: '{values} ja veel {count}',
  zoneFrom: {
    site: 'Pakutud: {zone}, selle objekti ajavöönd.',
    system: 'Pakutud: {zone}, milles see süsteem ajad kirjutab.',
    mapping: 'Pakutud: {zone}, salvestatud vastavustabelist.',
  },
  places: {
    row: 'rida {id}',
    record: 'kirje {id}',
    line: 'rida {id}',
    sheet: 'leht {id}',
    ticket: 'pilet {id}',
    issue: 'juhtum {id}',
    comment: 'kommentaar {id}',
    journal: 'päeviku kanne {id}',
    transaction: 'tehing {id}',
    attachment: 'manus {id}',
  },
  authors: { 'author name': 'Autori nimi', 'author phone': 'Autori telefon' },
  place: 'Koht',
  column: 'Veerg',
  value: 'Väärtus',
  outcome: 'Mis sellest sai',
}
