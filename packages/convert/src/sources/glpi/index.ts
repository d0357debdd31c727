import { SourceError, type SourceKind } from '../../source.ts'
import { firstCharacter } from '../../text/first-character.ts'
import { openCsv } from './csv-tickets.ts'
import { defaultMapping } from './default-mapping.ts'
import { openJson } from './json-tickets.ts'
import { englishColumn } from './languages.ts'

/** Tickets of GLPI: the CSV export of a search, or JSON files of the REST API. */
export const glpi: SourceKind = {
  name: 'glpi',
  label: 'GLPI',
  columnOf: englishColumn,
  defaultMapping,
  async open(inputs: readonly string[], { encoding }: { encoding?: string | undefined } = {}) {
    const firsts = await Promise.all(inputs.map(firstCharacter))
    const isJson = firsts.map((first) => first === '{' || first === '[')
    if (inputs.length > 0 && isJson.every(Boolean)) return await openJson(inputs)
    if (!isJson.some(Boolean)) return await openCsv(inputs, encoding)
    const message = 'CSV and JSON were given together; give the CSV export or the files of the REST API'
    throw new SourceError([{ place: 'GLPI', message }])
  },
}
