import type * as english from '../providers.ts'
import type { Translation } from '../translation.ts'

export const providers: Translation<typeof english.providers> = {
  or: 'oder',
  signIn: 'Mit {name} anmelden',
  accept: 'Mit {name} annehmen',
  failedTitle: 'Sie sind nicht angemeldet',
  acceptFailed: 'Sie haben nicht angenommen',
  problems: {
    unreachable:
      '{name} antwortet nicht. Versuchen Sie es in ein paar Minuten erneut, oder melden Sie sich mit Ihrem Passwort an.',
    failed:
      'Die Anmeldung über {name} ist fehlgeschlagen. Versuchen Sie es erneut. Wenn es weiter fehlschlägt, fragen Sie den Betreiber dieses Dienstes. Sein Protokoll nennt den Grund.',
    clock:
      'Die Uhren von {name} und diesem Dienst weichen zu stark voneinander ab. Bitten Sie den Betreiber dieses Dienstes, die Zeit zu korrigieren.',
    denied:
      'Sie haben abgebrochen, oder {name} gibt Ihnen keinen Zugriff auf diesen Dienst. Versuchen Sie es erneut, oder fragen Sie die Administration von dort.',
    expired:
      'Die Anmeldung dauerte länger als 10 Minuten, wurde schon verwendet oder begann in einem anderen Browser. Beginnen Sie hier von vorn.',
    'not-linked':
      'Ihr Konto bei {name} ist mit keinem Konto hier verknüpft. Wenn Sie ein Passwort haben, melden Sie sich damit an und verknüpfen {name} auf Ihrer Kontoseite. Wenn Sie eingeladen sind, öffnen Sie die Einladung und nehmen sie mit {name} an.',
    taken:
      'Dieses Konto bei {name} ist mit einem anderen Konto dieses Dienstes verknüpft. Melden Sie sich bei {name} ab, und melden Sie sich dort mit Ihrem eigenen an.',
    'already-linked': 'Sie sind mit einem anderen Konto bei {name} verknüpft. Lösen Sie zuerst diese Verknüpfung.',
    'invitation-over':
      'Diese Einladung wurde schon verwendet, zurückgezogen oder ist abgelaufen. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
    'other-invitation':
      'Sie sind angemeldet, aber die Einladung ist für ein anderes Konto, wurde schon verwendet oder ist abgelaufen. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
    changed:
      'Ihr Konto oder Ihre Sitzung hat sich inzwischen geändert. Melden Sie sich erneut an, und wiederholen Sie es.',
    'too-many':
      'Aus Ihrem Netzwerk sind zu viele Anmeldungen fehlgeschlagen. Versuchen Sie es in 15 Minuten erneut, oder melden Sie sich mit Ihrem Passwort an.',
  },
  methods: {
    title: 'Wege zur Anmeldung',
    noPassword:
      'Sie haben kein Passwort, deshalb können Sie die Verknüpfung mit {name} nicht lösen. Um eines zu setzen, melden Sie sich ab und setzen Ihr Passwort zurück, oder bitten Sie die Administration Ihrer Organisation um einen Link. Das löst die Verknüpfung mit {name}.',
    linkedAs: '{name} ist seit {time} als {account} verknüpft.',
    linked: '{name} ist seit {time} verknüpft.',
    notLinked: '{name} ist nicht verknüpft. Verknüpfen Sie es, um sich ohne Passwort anzumelden.',
    link: '{name} verknüpfen',
    unlink: 'Verknüpfung mit {name} lösen',
    unlinkHint: 'Das meldet auch alle anderen Browser ab, die sich mit {name} angemeldet haben.',
    failedTitle: 'Nichts wurde geändert',
  },
}
