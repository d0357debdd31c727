import type * as english from '../problem-report.ts'
import type { Translation } from '../translation.ts'

export const problemReport: Translation<typeof english.problemReport> = {
  open: 'Veaaruanne',
  title: 'Veaaruanne',
  intro:
    'Saatke see inimesele, kes teid aitab. Selles on versioonid, olekud ja viimased häired, kuid mitte salavõtmeid, e-posti aadresse ega inimeste nimesid. Lugege see enne saatmist läbi.',
  withLog: 'Selles on ka selle objekti viimased logiread, sest olete administraator.',
  text: 'Veaaruanne',
  copy: 'Kopeeri tekst',
  downloadText: 'Laadi alla tekst',
  downloadJson: 'Laadi alla JSON',
}
