import type { ExportTargetName } from '@plantroom/contract/conversion'
import { csv } from './csv.ts'
import { jira } from './jira.ts'
import { redmine } from './redmine.ts'
import { rt } from './rt.ts'
import type { ExportTarget } from './target.ts'
import { zammad } from './zammad.ts'

export { type ExportProgress, type ExportResult, exportPackage } from './export-package.ts'

/** The systems for which packages are converted. */
export const TARGETS: Readonly<Record<ExportTargetName, ExportTarget>> = { csv, jira, redmine, rt, zammad }
