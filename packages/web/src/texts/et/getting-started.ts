import type * as english from '../getting-started.ts'
import type { Translation } from '../translation.ts'

export const gettingStarted: Translation<typeof english.gettingStarted> = {
  title: 'Esimesed sammud',
  progress: '{count, plural, one {Tehtud {done} / # samm} other {Tehtud {done} / # sammu}}',
  done: '(tehtud)',
  dismiss: 'Peida see loend',
  dismissed: 'Esimeste sammude loend on peidetud',
  steps: {
    site: {
      action: 'Lisa objekt',
      why: 'Objekt on hoone või kinnistu. Sellele kuuluvad kontrollerid, liikmed ja hooldustaotlused.',
    },
    controller: {
      action: 'Lisa kontroller',
      why: 'See töötab hoones ja suhtleb seadmetega. Saate käsu, mis selle käivitab.',
    },
    commissioned: {
      action: 'Laadi seadistusfail',
      why: 'See ütleb kontrollerile, millised seadmed on olemas ning milliseid andmepunkte saab lugeda ja üle kirjutada.',
    },
    key: {
      action: 'Loo API-võti',
      why: 'Paindlikkusteenuse pakkuja loeb sellega oma programmist väärtusi ja kirjutab neid üle.',
    },
    override: {
      action: 'Tee esimene ülekirjutus',
      why: 'Hoidke üht andmepunkti mõni minut ja vaadake lehelt, kuidas kontroller selle õigel ajal vabastab.',
    },
  },
}
