import type { SourceName } from '@plantroom/contract/conversion'
import type { MappingPreset } from '@plantroom/contract/conversion-jobs'
import { api } from '../../../api/service.ts'
import { convert } from '../../../texts/convert.ts'
import { format } from '../../../texts/format.ts'
import { createSiteUploads } from '../site-uploads.ts'
import type { UploadTask } from '../uploads.ts'

/** An export to upload and to read. Its attachments, if it has any, are the last file. */
interface ExportTask extends UploadTask {
  readonly source: SourceName
  readonly preset: MappingPreset | undefined
  readonly hasAttachments: boolean
}

/** Uploads of exports, which are analysed when they are complete. */
export const exportUploads = createSiteUploads<ExportTask>({
  purpose: 'conversion',
  async startJob(site, { files, source, preset, hasAttachments }, uploadIds) {
    const uploaded = files.map(({ name }, index) => ({ uploadId: uploadIds[index] ?? '', filename: name }))
    const attachments = hasAttachments ? uploaded.pop() : undefined
    const options = { ...(preset !== undefined && { preset }), ...(attachments && { attachments }) }
    const { jobId } = await api.startSourceAnalysis({ ...site, body: { source, files: uploaded, ...options } })
    return jobId
  },
  page: '/settings/packages/convert',
  doneAway: (name) => ({ title: format(convert.upload.doneAway, { name }), message: convert.upload.doneAwayHint }),
})
