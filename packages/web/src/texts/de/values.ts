import type { Translation } from '../translation.ts'
import type * as english from '../values.ts'

export const values: Translation<typeof english.values> = {
  on: 'Ein',
  off: 'Aus',
  old: '{age} alt',
}
