import type { SourceName } from '@plantroom/contract/conversion'
import type { SourceKind } from '../source.ts'
import { csv } from './csv/index.ts'
import { glpi } from './glpi/index.ts'
import { jira } from './jira/index.ts'
import { osticket } from './osticket/index.ts'
import { redmine } from './redmine/index.ts'
import { rt } from './rt/index.ts'
import { xlsx } from './xlsx/index.ts'
import { zammad } from './zammad/index.ts'
import { zendesk } from './zendesk/index.ts'

/** Every system whose exports can be converted. */
export const SOURCES: Readonly<Record<SourceName, SourceKind>> = {
  ...{ csv, xlsx, zendesk, glpi, jira, redmine, rt },
  ...{ zammad, osticket },
}
