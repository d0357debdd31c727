import { SOURCE_NAMES, type SourceName } from '@plantroom/contract/conversion'
import { SourceError, type SourceKind } from '../source.ts'
import { csv } from './csv/index.ts'

const later = (name: SourceName): SourceKind => ({
  name,
  label: name,
  async open() {
    throw new SourceError([{ place: 'file', message: `cannot be read as ${name} yet: choose CSV` }])
  },
})

export const SOURCES: Readonly<Record<SourceName, SourceKind>> = {
  ...(Object.fromEntries(SOURCE_NAMES.map((name) => [name, later(name)])) as Record<SourceName, SourceKind>),
  csv,
}
