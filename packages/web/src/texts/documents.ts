import { catalogue } from './language.ts'

/** JSON and YAML that people write. */
export const documents = catalogue('documents', {
  at: 'Line {line}: {reason}',
})
