import type * as english from '../factors.ts'
import type { Translation } from '../translation.ts'

export const proof: Translation<typeof english.proof> = {
  secondStep: 'Zweiter Faktor',
  secondStepLead: 'Der erste Schritt ist geschafft. Verwenden Sie jetzt Ihren zweiten Faktor.',
  passwordSet: 'Ihr neues Passwort ist gesetzt. Verwenden Sie jetzt Ihren zweiten Faktor.',
  failed: 'Sie sind nicht angemeldet',
  startAgain: 'Zurück zur Anmeldung',
  freshTitle: 'Bestätigen Sie, dass Sie es sind',
  freshLead: 'Ihre Anmeldung ist mehr als 15 Minuten her. Nach dieser Prüfung geht es mit Ihrer Aktion weiter.',
  freshFailed: 'Das hat Ihre Identität nicht bestätigt',
  confirm: 'Bestätigen',
  continue: 'Weiter',
  password: 'Ihr Passwort',
  code: 'Code Ihrer Authenticator-App',
  codeHint: 'Sechs Ziffern. Die App zeigt alle 30 Sekunden neue.',
  recoveryCode: 'Wiederherstellungscode',
  recoveryCodeHint: 'Einer der Codes, die Sie beim Einrichten des zweiten Faktors aufbewahrt haben. Jeder gilt einmal.',
  passkey: 'Passkey verwenden',
  instead: {
    password: 'Stattdessen Passwort verwenden',
    passkey: 'Stattdessen Passkey verwenden',
    totp: 'Stattdessen Authenticator-App verwenden',
    'recovery-code': 'Stattdessen Wiederherstellungscode verwenden',
  },
  signInWithPasskey: 'Mit Passkey anmelden',
  passkeyFailed:
    'Der Browser hat keinen Passkey verwendet. Vielleicht haben Sie abgebrochen, oder er hat keinen für diese Adresse. Versuchen Sie es erneut, oder wählen Sie einen anderen Weg.',
  signInAgain:
    'Sie melden sich über einen Anmeldedienst an: Melden Sie sich ab und wieder an, und wiederholen Sie dies innerhalb von 15 Minuten.',
  none: 'Keiner Ihrer zweiten Faktoren funktioniert unter dieser Adresse. Bitten Sie die Administration Ihrer Organisation, sie zurückzusetzen.',
}

export const factors: Translation<typeof english.factors> = {
  title: 'Sicherheit',
  intro: 'Ein zweiter Faktor schützt Ihr Konto auch dann, wenn jemand Ihr Passwort erfährt.',
  required:
    '{organization} verlangt einen zweiten Faktor. Richten Sie hier eine Authenticator-App oder einen Passkey ein, um Zugriff zu erhalten.',
  requiredAgain:
    '{organization} verlangt einen zweiten Faktor, und Sie haben sich ohne einen angemeldet. Melden Sie sich ab und mit Ihrem zweiten Faktor wieder an.',
  endsOthers: 'Wenn Sie zum ersten Mal einen zweiten Faktor einrichten, enden Ihre anderen Sitzungen.',
  app: {
    title: 'Authenticator-App',
    on: 'Eine Authenticator-App ist eingerichtet.',
    off: 'Nicht eingerichtet. Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code.',
    setUp: 'Authenticator-App einrichten',
    turnOff: 'Ausschalten',
    turnOffLabel: 'Authenticator-App ausschalten',
    turnOffTitle: 'Authenticator-App ausschalten?',
    consequence:
      'Sie melden sich ab jetzt ohne ihre Codes an. Organisationen, die einen zweiten Faktor verlangen, bleiben für Sie geschlossen, bis Sie einen anderen haben.',
    dialog: 'Authenticator-App einrichten',
    scan: 'Scannen Sie diesen Code mit Ihrer App, oder tippen Sie den Geheimschlüssel ein. Er erscheint nur jetzt.',
    qr: 'QR-Code mit dem Geheimschlüssel',
    secret: 'Geheimschlüssel',
    code: 'Code, den die App zeigt',
    confirm: 'Einschalten',
    failed: 'Die Authenticator-App wurde nicht eingerichtet',
  },
  passkeys: {
    title: 'Passkeys',
    intro: 'Melden Sie sich ohne Passwort an: mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel.',
    none: 'Sie haben keine Passkeys.',
    unsupported:
      'Passkeys brauchen einen Hostnamen und HTTPS. Öffnen Sie diese Seite mit ihrem Namen statt mit der IP-Adresse.',
    add: 'Passkey hinzufügen',
    label: 'Ihre Passkeys',
    name: 'Name',
    nameHint: 'Zum Beispiel das Gerät, auf dem er ist.',
    created: 'Hinzugefügt',
    lastUsed: 'Zuletzt benutzt',
    never: 'Nie',
    actions: 'Aktionen',
    rename: 'Umbenennen',
    renameLabel: '{name} umbenennen',
    remove: 'Entfernen',
    removeLabel: '{name} entfernen',
    removeTitle: '{name} entfernen?',
    consequence: 'Sie können sich mit diesem Passkey nicht mehr anmelden. Löschen Sie ihn auch auf Ihrem Gerät.',
    failed: 'Der Passkey wurde nicht hinzugefügt',
    renameFailed: 'Der Passkey wurde nicht umbenannt',
  },
  codes: {
    title: 'Wiederherstellungscodes',
    left: '{count, plural, one {Noch # Code} other {Noch # Codes}}',
    hint: 'Jeder Code ersetzt einmal Ihren zweiten Faktor, zum Beispiel wenn Sie Ihr Telefon verlieren.',
    renew: 'Neue Wiederherstellungscodes',
    renewTitle: 'Neue Wiederherstellungscodes erstellen?',
    consequence: 'Ihre früheren Wiederherstellungscodes gelten nicht mehr.',
    dialog: 'Ihre Wiederherstellungscodes',
    store:
      'Bewahren Sie diese Codes dort auf, wo Sie sie ohne Ihr Telefon erreichen. Sie erscheinen nur jetzt. Jeder gilt einmal.',
    done: 'Ich habe sie aufbewahrt',
    copy: 'Alle kopieren',
  },
}
