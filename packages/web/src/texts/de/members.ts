import type * as english from '../members.ts'
import type { Translation } from '../translation.ts'

export const members: Translation<typeof english.members> = {
  title: 'Mitglieder',
  intro: 'Personen, die sich anmelden können, und ihre Rollen.',
  forAdmins: 'Nur Administratoren der Organisation können Mitglieder verwalten.',
  label: 'Mitglieder dieser Organisation',
  email: 'E-Mail-Adresse',
  you: '{email} (Sie)',
  roles: 'Rollen',
  lastSeen: 'Zuletzt gesehen',
  actions: 'Aktionen',
  never: 'Nie',
  invited: 'Eingeladen, noch nicht angenommen',
  admin: 'Admin der Organisation',
  none: 'Keine Rolle',
  on: {
    manager: {
      all: 'Manager aller Standorte',
      tags: 'Manager aller Standorte mit dem Schlagwort {tags}',
      sites: 'Manager: {sites}',
    },
    viewer: {
      all: 'Betrachter aller Standorte',
      tags: 'Betrachter aller Standorte mit dem Schlagwort {tags}',
      sites: 'Betrachter: {sites}',
    },
  },
  more: '{names} und {count} weitere',
  goneSite: 'entfernter Standort',

  invite: {
    open: 'Mitglied einladen',
    title: 'Mitglied einladen',
    submit: 'Einladen',
    email: 'E-Mail-Adresse',
    badEmail: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel mari@example.ee.',
  },

  form: {
    what: 'Rolle',
    admin: 'Admin: voller Zugriff auf alle Standorte, API-Schlüssel und Mitglieder',
    perSite: 'Je Standort',
    onAll: 'An allen Standorten',
    onAllHint: 'Auch an Standorten, die später hinzukommen.',
    onTags: {
      manager: 'Manager aller Standorte mit dem Schlagwort',
      viewer: 'Betrachter aller Standorte mit dem Schlagwort',
    },
    onTagsHint: 'Auch an Standorten, die das Schlagwort später erhalten, und nicht mehr an denen, die es verlieren.',
    onSites: { manager: 'Manager dieser Standorte', viewer: 'Betrachter dieser Standorte' },
    noRole: 'Kein Zugriff',
    viewer: 'Betrachter: darf alles ansehen',
    manager: 'Manager: darf auch übersteuern und Anfragen ändern',
    noSite: 'Wählen Sie eine Rolle an allen Standorten, für ein Schlagwort oder an mindestens einem Standort.',
    changeTitle: 'Rollen von {email}',
    saved: 'Rollen von {email} geändert',
    changedSince: 'Die Rollen wurden seitdem erneut geändert.',
    yourself: 'Das sind Ihre eigenen Rollen. Ohne Admin verlieren Sie den Zugriff auf diese Seite.',
  },

  link: {
    title: 'Einladungslink für {email}',
    hint: 'Schicken Sie diesen Link vertraulich. Er gilt einmal, 7 Tage lang. Sie können ihn nicht noch einmal sehen.',
    label: 'Link',
    mailed: 'Wir haben einen Link an {email} geschickt. Er gilt einmal, 7 Tage lang.',
    done: 'Ich habe ihn kopiert',
  },

  security: {
    title: 'Sicherheit',
    require: 'Zweiten Faktor verlangen',
    requireHint:
      'Mitglieder ohne zweiten Faktor sehen nur ihre Kontoseite, bis sie einen einrichten. API-Schlüssel sind nicht betroffen. Sie selbst brauchen einen zweiten Faktor.',
    failed: 'Die Einstellung wurde nicht geändert',
  },
  measurements: {
    title: 'Messwerte',
    days: 'Messwerte so viele Tage aufbewahren',
    daysHint:
      'Lassen Sie das Feld leer, um sie unbegrenzt aufzubewahren. Ältere werden innerhalb einer Stunde gelöscht und lassen sich nicht wiederherstellen.',
    save: 'Speichern',
    saved: 'Gespeichert',
    failed: 'Die Einstellung wurde nicht geändert',
  },
  resetFactors: {
    button: 'Faktoren zurücksetzen',
    label: 'Faktoren von {email} zurücksetzen',
    title: 'Alle zweiten Faktoren von {email} entfernen?',
    consequence:
      'Tun Sie das nur, wenn Sie sich vergewissert haben, wer darum bittet. Die Person wird abgemeldet und kann sich allein mit ihrem Passwort anmelden. Wenn der Dienst E-Mails sendet, wird sie benachrichtigt.',
    action: 'Faktoren entfernen',
    done: 'Zweite Faktoren von {email} entfernt',
  },

  change: 'Rollen ändern',
  changeLabel: 'Rollen von {email} ändern',
  renew: {
    button: 'Neuer Link',
    label: 'Neuer Link für {email}',
    title: 'Neuen Link für {email} erstellen?',
    consequence:
      'Eine eingeladene Person kann mit dem Link annehmen. Ein Mitglied kann damit ein neues Passwort setzen; bis dahin gilt das alte. Frühere Links gelten nicht mehr.',
    action: 'Link erstellen',
  },
  remove: {
    button: 'Entfernen',
    label: '{email} entfernen',
    title: '{email} entfernen?',
    consequence:
      'Die Person wird sofort abgemeldet und verliert den Zugriff auf diese Organisation. Das Prüfprotokoll behält, was sie getan hat.',
    yourself: 'Das ist Ihr eigenes Konto: Sie werden abgemeldet.',
    action: 'Mitglied entfernen',
    done: '{email} entfernt',
  },
}
