import { catalogue } from './language.ts'

/** Values of datapoints. */
export const values = catalogue('values', {
  on: 'On',
  off: 'Off',
  old: '{age} old',
})
