import type * as english from '../flow.ts'
import type { Translation } from '../translation.ts'

export const flow: Translation<typeof english.flow> = {
  title: 'Võimsus praegu',
  sources: 'Toide ja salvesti',
  loads: 'Tarbijad',
  parts: {
    grid: 'Võrk',
    generation: 'Tootmine',
    storage: 'Salvesti',
    load: 'Tarbijad',
    rest: 'Muud tarbijad',
  },
  forth: {
    grid: 'võrgust',
    generation: 'toodab',
    storage: 'laeb',
    load: 'tarbib',
    rest: 'tarbib',
  },
  back: {
    grid: 'võrku',
    generation: 'tarbib',
    storage: 'tühjeneb',
    load: 'annab',
    rest: 'annab',
  },
  still: 'seisab',
  unknown: 'väärtus puudub',
  limit: 'Piir {limit}',
  above: 'Üle {limit}',
}
