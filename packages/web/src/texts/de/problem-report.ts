import type * as english from '../problem-report.ts'
import type { Translation } from '../translation.ts'

export const problemReport: Translation<typeof english.problemReport> = {
  open: 'Problembericht',
  title: 'Problembericht',
  intro:
    'Schicken Sie dies der Person, die Ihnen hilft. Der Bericht enthält Versionen, den Status und die letzten Alarme, aber keine Geheimschlüssel, E-Mail-Adressen oder Namen von Personen. Lesen Sie ihn, bevor Sie ihn schicken.',
  withLog: 'Er enthält auch die letzten Protokollzeilen zu diesem Standort, weil Sie Administrator sind.',
  text: 'Bericht',
  copy: 'Text kopieren',
  downloadText: 'Text herunterladen',
  downloadJson: 'JSON herunterladen',
}
