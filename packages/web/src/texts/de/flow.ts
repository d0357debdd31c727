import type * as english from '../flow.ts'
import type { Translation } from '../translation.ts'

export const flow: Translation<typeof english.flow> = {
  title: 'Leistung jetzt',
  sources: 'Versorgung und Speicher',
  loads: 'Verbraucher',
  parts: {
    grid: 'Netz',
    generation: 'Erzeugung',
    storage: 'Speicher',
    load: 'Verbraucher',
    rest: 'Sonstige',
  },
  forth: {
    grid: 'Bezug',
    generation: 'erzeugt',
    storage: 'lädt',
    load: 'verbraucht',
    rest: 'verbraucht',
  },
  back: {
    grid: 'Einspeisung',
    generation: 'verbraucht',
    storage: 'entlädt',
    load: 'liefert',
    rest: 'liefert',
  },
  still: 'ruht',
  unknown: 'kein Wert',
  limit: 'max. {limit}',
  above: 'Über {limit}',
}
