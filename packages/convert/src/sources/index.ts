import type { SourceName } from '@plantroom/contract/conversion'
import { SourceError, type SourceKind } from '../source.ts'
import { csv } from './csv/index.ts'
import { xlsx } from './xlsx/index.ts'

/** Every system whose exports can be converted. */
export const SOURCES: Readonly<Record<SourceName, SourceKind>> = {
  csv,
  xlsx,
  zendesk: planned('zendesk', 'Zendesk'),
  glpi: planned('glpi', 'GLPI'),
  jira: planned('jira', 'Jira'),
  redmine: planned('redmine', 'Redmine'),
  rt: planned('rt', 'Request Tracker'),
}

function planned(name: SourceName, label: string): SourceKind {
  return {
    name,
    label,
    async open() {
      throw new SourceError([{ place: label, message: 'cannot be read yet; export a CSV file and convert that' }])
    },
  }
}
