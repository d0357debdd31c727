import type { ConversionNote } from '@plantroom/contract/conversion-notes'
import { note } from '../notes.ts'
import { tableForm } from '../sources/csv/read-table.ts'

/** Says which CSV files were read in an encoding that nobody stated. */
export async function encodingNotes(paths: readonly string[], encoding: string | undefined): Promise<ConversionNote[]> {
  const forms = await Promise.all(paths.map((path) => tableForm(path, { encoding })))
  const assumed = new Set(forms.filter((form) => form.encoding.isAssumed).map((form) => form.encoding.name))
  return [...assumed].map((subject) => note('encoding-assumed', { subject }))
}
