import type * as english from '../site-settings.ts'
import type { Translation } from '../translation.ts'

export const siteSettings: Translation<typeof english.siteSettings> = {
  title: 'Objekt',
  intro: 'Selle objekti nimi, ajavöönd ja funktsioonid.',
  forAdmins: 'Neid seadeid saavad muuta ainult organisatsiooni administraatorid.',

  naming: {
    title: 'Nimi ja ajavöönd',
    name: 'Nimi',
    timeZone: 'Ajavöönd',
    timeZoneHint:
      'Ajakavad ja tunnipiirid kasutavad seda ajavööndit. Kontroller võtab uue ajavööndi kasutusele, kui see uuesti seadistatakse.',
    saved: 'Salvestatud',
    blank: 'Sisestage objekti nimi.',
  },

  requests: {
    title: 'Hooldustaotlused',
    isOn: 'Hooldustaotlused on sisse lülitatud. Inimesed, kellel on sellele objektile ligipääs, saavad neid vaadata, muuta, importida ja eksportida.',
    isOff:
      'Hooldustaotlused on välja lülitatud. Keegi ei saa taotlusi vaadata ega importida. Olemasolevad taotlused ilmuvad uuesti, kui need sisse lülitate.',
    turnOn: 'Lülita hooldustaotlused sisse',
    turnOff: 'Lülita hooldustaotlused välja',
    offTitle: 'Kas lülitada hooldustaotlused välja?',
    offConsequence:
      'Keegi ei saa selle objekti taotlusi vaadata ega importida ja API-võtmed lükatakse tagasi. Midagi ei kustutata: kõige taastamiseks lülitage need uuesti sisse.',
    nowOn: 'Hooldustaotlused on sisse lülitatud',
    nowOff: 'Hooldustaotlused on välja lülitatud',
  },
  ids: { title: 'ID-d programmidele', organization: 'Organisatsioon', site: 'Objekt' },
}
