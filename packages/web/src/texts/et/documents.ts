import type * as english from '../documents.ts'
import type { Translation } from '../translation.ts'

export const documents: Translation<typeof english.documents> = {
  at: 'Rida {line}: {reason}',
}
