import type * as english from '../sign-in.ts'
import type { Translation } from '../translation.ts'

export const signIn: Translation<typeof english.signIn> = {
  title: 'Anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Anmelden',
  failed: 'Sie sind nicht angemeldet',
  ended: 'Ihre Sitzung ist beendet',
  endedHint:
    'Sie ist abgelaufen, wurde anderswo abgemeldet oder endete mit einem neuen Passwort. Melden Sie sich an, um auf diese Seite zurückzukehren.',
  forgot: 'Passwort vergessen?',
  lost: 'Passwort vergessen? Bitten Sie die Administration Ihrer Organisation um einen neuen Link.',
  insecure: 'Unter dieser Adresse können Sie sich nicht anmelden',
  insecureHint:
    'Die Seite wurde ohne HTTPS geöffnet, deshalb kann der Browser Sie nicht angemeldet halten. Öffnen Sie ihre https://-Adresse, oder http://localhost auf dem Rechner selbst.',
}

export const setUp: Translation<typeof english.setUp> = {
  title: 'Plantroom einrichten',
  lead: 'Erstellen Sie Ihre Organisation, ihren ersten Standort und Ihr Administratorkonto. Weitere können Sie später hinzufügen.',
  token: 'Einrichtungstoken',
  tokenHint:
    'Die Cloud schreibt die Adresse dieser Seite mit dem Token bei jedem Start ins Protokoll, bis die Einrichtung abgeschlossen ist.',
  organization: 'Organisation',
  site: 'Erster Standort',
  siteHint: 'Der übliche Name des Gebäudes oder der Liegenschaft.',
  timeZone: 'Zeitzone des Standorts',
  timeZoneHint: 'Zeitprogramme und Grenzwerte des Standorts verwenden diese Zeitzone.',
  you: 'Ihr Konto',
  email: 'Ihre E-Mail-Adresse',
  submit: 'Einrichten und anmelden',
  failed: 'Die Einrichtung ist fehlgeschlagen',
  done: 'Plantroom ist bereits eingerichtet',
  doneHint: 'Melden Sie sich mit der E-Mail-Adresse und dem Passwort an, die bei der Einrichtung gewählt wurden.',
  toSignIn: 'Zur Anmeldung',
}

export const welcome: Translation<typeof english.welcome> = {
  title: 'Willkommen',
  lead: '{organization} lädt Sie ein. Wählen Sie ein Passwort für {email}. Mit beidem melden Sie sich künftig an.',
  passwordTitle: 'Neues Passwort setzen',
  passwordLead: 'Wählen Sie ein neues Passwort für {email}. Alle Ihre Sitzungen enden.',
  email: 'E-Mail-Adresse',
  submit: 'Passwort setzen und anmelden',
  failed: 'Das Passwort wurde nicht gesetzt',
  over: 'Dieser Link gilt nicht mehr',
  overHint:
    'Er wurde schon verwendet, ist abgelaufen oder wurde ungültig, weil sich Ihr Konto geändert hat. Bitten Sie die Person, die Sie eingeladen hat, um einen neuen.',
  missing: 'Dieser Link ist unvollständig',
  missingHint:
    'Öffnen Sie ihn erneut aus der Nachricht, die Sie erhalten haben, oder kopieren Sie den ganzen Link, auch den Teil nach dem #.',
  toSignIn: 'Zur Anmeldung',
}

export const join: Translation<typeof english.join> = {
  title: '{organization} beitreten',
  lead: '{organization} lädt {email} ein. Ihr Konto und Ihre anderen Organisationen ändern sich nicht.',
  otherAccount: 'Sie sind als {current} angemeldet. Melden Sie sich als {email} an, um anzunehmen.',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Beitreten',
  failed: 'Sie sind nicht beigetreten',
}

export const resetPassword: Translation<typeof english.resetPassword> = {
  title: 'Passwort zurücksetzen',
  email: 'E-Mail-Adresse',
  hint: 'Wir schicken einen Link an diese Adresse. Er gilt einmal, eine Stunde lang.',
  submit: 'Link schicken',
  sent: 'Wenn es ein Konto mit dieser Adresse gibt, ist der Link unterwegs. Sehen Sie in Ihrem Posteingang nach.',
  failed: 'Der Link wurde nicht geschickt',
  noMail: 'Dieser Dienst sendet keine E-Mails. Bitten Sie die Administration Ihrer Organisation um einen neuen Link.',
  toSignIn: 'Zur Anmeldung',
}

export const passwords: Translation<typeof english.passwords> = {
  new: 'Neues Passwort',
  hint: 'Mindestens {least} Zeichen. Mehrere Wörter merkt man sich leichter als Sonderzeichen.',
  again: 'Neues Passwort wiederholen',
  tooShort: 'Das Passwort braucht mindestens {least} Zeichen. Dieses hat {now}.',
  different: 'Die beiden Passwörter stimmen nicht überein.',
}
